import type { QueryClient } from '@tanstack/react-query';
import { loadSamples, removeSamples } from '#domain/samples/contract.ts';
import { request } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { language } from '#web/texts/language.ts';

/** Rooms, playbooks, calls, and the list of first steps change: everything is read again. */
const refresh = { refresh: (queryClient: QueryClient) => queryClient.invalidateQueries() };

export const useLoadSamples = () =>
  useApiMutation(() => request(loadSamples, { body: { language } }), {
    done: { title: t('samples.loaded'), description: t('samples.loadedText') },
    failed: t('samples.loadFailed'),
    ...refresh,
  });

export const useRemoveSamples = () =>
  useApiMutation(() => request(removeSamples, {}), {
    done: { title: t('samples.removed') },
    failed: t('samples.removeFailed'),
    ...refresh,
  });
