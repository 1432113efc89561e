import '#web/platform/player-texts.ts';
import { useQuery } from '@tanstack/react-query';
import type { CallId } from '#domain/ids.ts';
import { generateInsights, readInsights } from '#domain/insights/contract.ts';
import { ownTimeZone } from '#web/ai/own-time-zone.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const insightsPath = (id: CallId) => `/api/calls/${id}/insights` as const;
const workingEveryMs = 3000;

/** Read again while the server works on them. */
export const useInsights = (id: CallId) =>
  useQuery({
    ...reading(readInsights, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'working' ? workingEveryMs : false),
  });

export const useGenerateInsights = (id: CallId) =>
  useApiMutation(
    () => request(generateInsights, { params: { id }, body: { timeZone: ownTimeZone() } }),
    { failed: t('assistant.summary.notRequested'), stores: keyOf(insightsPath(id)) },
  );
