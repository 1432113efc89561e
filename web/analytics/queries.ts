import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type Call, listCalls } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { callsCsv } from '#web/analytics/calls-csv.ts';
import { downloadFile } from '#web/analytics/download-file.ts';
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';

/** docs/product-decisions.md: All Calls shows 20 a page. */
export const callsPerPage = 20;
const callsPerExportRead = 200;

const callsBefore = (before: CallId | undefined) =>
  reading(listCalls, { query: { limit: callsPerPage, ...(before ? { before } : {}) } });

/**
 * Returns one page of calls: those before the call `before`, or the newest. The following page is
 * prefetched; `next` is its `before`, absent if no more calls follow.
 */
export function useCallsPage(before: CallId | undefined) {
  const page = useQuery({ ...callsBefore(before), placeholderData: keepPreviousData });
  const calls = page.isPlaceholderData ? undefined : page.data;
  const last = calls?.length === callsPerPage ? calls.at(-1)?.id : undefined;
  const following = useQuery({ ...callsBefore(last), enabled: last !== undefined });
  const next = last && following.data?.length !== 0 ? last : undefined;
  return { ...page, next };
}

/** Returns calls as one list, fetched in the largest pages that the endpoint allows. */
export const useEveryCall = () => usePagesOf(listCalls, { query: { limit: callsPerExportRead } });

/** Fetches all calls, 200 at a time, and saves them as a file. */
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
  for (;;) {
    const before = all.at(-1)?.id;
    const query = { limit: callsPerExportRead, ...(before ? { before } : {}) };
    const page = await request(listCalls, { query });
    all.push(...page);
    if (page.length < callsPerExportRead) return all;
  }
}
