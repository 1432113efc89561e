import '#web/platform/player-texts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CallDetails } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { generateInsights, readInsights } from '#domain/insights/contract.ts';
import { actionItemsPath } from '#web/action-items/queries.ts';
import { ownTimeZone } from '#web/ai/own-time-zone.ts';
import { request } from '#web/platform/api.ts';
import { serverNow } from '#web/platform/clock.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const insightsPath = (id: CallId) => `/api/calls/${id}/insights` as const;
const workingEveryMs = 3000;
const expectedEveryMs = 10_000;
/** The server looks for ended calls each minute, and for what was said last once it is recognized. */
const expectedForMs = 5 * 60_000;

/**
 * Read again while the server works on them, and shortly after the call's end, when it begins to. Its
 * action items are found then, too, and are read again with them.
 */
export function useInsights({ id, endedAt }: Pick<CallDetails, 'id' | 'endedAt'>) {
  const queryClient = useQueryClient();
  const query = useQuery({
    ...reading(readInsights, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'working') return workingEveryMs;
      return data?.state === 'none' && hasJustEnded(endedAt) ? expectedEveryMs : false;
    },
  });
  const state = query.data?.state;
  const before = useRef(state);
  useEffect(() => {
    const isNew = state === 'ready' && before.current !== undefined && before.current !== 'ready';
    before.current = state;
    if (isNew) void queryClient.invalidateQueries({ queryKey: keyOf(actionItemsPath(id)) });
  }, [state, id, queryClient]);
  return query;
}

const hasJustEnded = (endedAt: string | null) =>
  endedAt !== null && serverNow() - Date.parse(endedAt) < expectedForMs;

export const useGenerateInsights = (id: CallId) =>
  useApiMutation(
    () => request(generateInsights, { params: { id }, body: { timeZone: ownTimeZone() } }),
    { failed: t('assistant.summary.notRequested'), stores: keyOf(insightsPath(id)) },
  );
