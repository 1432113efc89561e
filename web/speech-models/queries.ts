import '#web/platform/player-texts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  fetchSpeechModel,
  listSpeechModels,
  type OfferedSpeechModel,
  removeSpeechModel,
} from '#domain/speech-models/contract.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { toast } from '#web/ui/toast-store.ts';

const lookAgainMs = 1500;
const path = '/api/speech-models';

export const isMoving = ({ state: { kind } }: Pick<OfferedSpeechModel, 'state'>): boolean =>
  kind === 'waiting' || kind === 'fetching' || kind === 'verifying' || kind === 'interrupted';

/** Reads the models, again and again while one is fetched. */
export function useSpeechModels() {
  const queryClient = useQueryClient();
  const query = useQuery({
    ...reading(listSpeechModels, {}),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.models.some(isMoving) ? lookAgainMs : false),
  });
  const used = query.data?.models.find(({ isUsed }) => isUsed)?.name ?? null;
  const isRead = query.data !== undefined;
  // Other cards say which service transcribes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again whenever the model changes
  useEffect(() => {
    if (isRead) void queryClient.invalidateQueries({ queryKey: keyOf('/api/speech-service') });
  }, [isRead, used, queryClient]);
  return query;
}

export const useFetchSpeechModel = (name: string, done: () => void) =>
  useApiMutation(() => request(fetchSpeechModel, { params: { name } }), {
    done,
    failed: t('transcript.models.fetchFailed'),
    stores: keyOf(path),
  });

export const useRemoveSpeechModel = (name: string, done: () => void) =>
  useApiMutation(() => request(removeSpeechModel, { params: { name } }), {
    done: () => {
      done();
      toast({ title: t('transcript.models.removed', { name }) });
    },
    failed: t('transcript.models.removeFailed'),
    stores: keyOf(path),
  });
