import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type Call, listCalls } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { callsCsv } from '#web/analytics/calls-csv.ts';
import { downloadFile } from '#web/analytics/download-file.ts';
import { eachPage, requestPage, usePagesOf } from '#web/platform/pages-of.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';

/** docs/product-decisions.md: All Calls shows 20 a page. */
export const callsPerPage = 20;
const callsPerExportRead = 200;

function callsBefore(before: CallId | undefined) {
  const input = { query: { limit: callsPerPage, ...(before ? { before } : {}) } };
  return {
    queryKey: [...reading(listCalls, input).queryKey, 'page'],
    queryFn: ({ signal }: { signal: AbortSignal }) => requestPage(listCalls, { ...input, signal }),
  };
}

/**
 * Returns one page of calls: those before the call `before`, or the newest. The following page is
 * prefetched; `next` is its `before`, absent if no more calls follow.
 */
export function useCallsPage(before: CallId | undefined) {
  const page = useQuery({ ...callsBefore(before), placeholderData: keepPreviousData });
  const calls = page.isPlaceholderData ? undefined : page.data;
  const last = calls?.next === undefined ? undefined : calls.rows.at(-1)?.id;
  const following = useQuery({ ...callsBefore(last), enabled: last !== undefined });
  const next = last && following.data?.rows.length !== 0 ? last : undefined;
  return { ...page, data: page.data?.rows, next };
}

/** Returns calls as one list, fetched in the largest pages that the endpoint allows. */
export const useEveryCall = () => usePagesOf(listCalls, { query: { limit: callsPerExportRead } });

/** Fetches all calls but samples, at most 200 at a time, and saves them as a file. */
export function useExportCalls(save = downloadFile) {
  return useMutation({
    mutationFn: async () => {
      const day = new Date().toISOString().slice(0, 10);
      save(`calls-${day}.csv`, 'text/csv;charset=utf-8', callsCsv(await readAllCalls()));
    },
    onError: (error) => toastFailure(error, t('analytics.exportFailed')),
  });
}

async function readAllCalls(): Promise<Call[]> {
  const all: Call[] = [];
  const query = { limit: callsPerExportRead };
  for await (const page of eachPage(listCalls, { query }))
    all.push(...page.filter(({ sample }) => !sample));
  return all;
}
