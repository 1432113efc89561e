import '#web/platform/call-texts.ts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type Call, countCalls, listCalls } from '#domain/calls/contract.ts';
import type { CallFilter } from '#domain/calls/filter.ts';
import { callsCsv } from '#web/analytics/calls-csv.ts';
import { downloadFile } from '#web/analytics/download-file.ts';
import { type Cursor, eachPage, requestPage, usePagesOf } from '#web/platform/pages-of.ts';
import { reading } from '#web/platform/query-client.ts';
import { formatNumber, t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

/** docs/product-decisions.md: All Calls shows 20 a page. */
export const callsPerPage = 20;
const callsPerExportRead = 200;

function callsAfter(filter: CallFilter, cursor: Cursor | undefined) {
  const input = { query: { limit: callsPerPage, ...filter, ...cursor } };
  return {
    queryKey: [...reading(listCalls, input).queryKey, 'page'],
    queryFn: ({ signal }: { signal: AbortSignal }) => requestPage(listCalls, { ...input, signal }),
  };
}

/**
 * Returns one page of calls: those after `cursor`, or the first. The following page is prefetched; `next` is its
 * cursor, absent if no more calls follow.
 */
export function useCallsPage(filter: CallFilter, cursor: Cursor | undefined) {
  const page = useQuery({ ...callsAfter(filter, cursor), placeholderData: keepPreviousData });
  const end = page.isPlaceholderData ? undefined : page.data?.next;
  const following = useQuery({ ...callsAfter(filter, end), enabled: end !== undefined });
  const isLast = following.data?.rows.length === 0 && !following.data.next;
  return { ...page, data: page.data?.rows, next: isLast ? undefined : end };
}

/** The number of calls that the filter names. */
export const useCallCount = (filter: CallFilter) =>
  useQuery({
    ...reading(countCalls, { query: filter }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** Returns calls as one list, fetched in the largest pages that the endpoint allows. */
export const useEveryCall = (filter: CallFilter) =>
  usePagesOf(listCalls, { query: { limit: callsPerExportRead, ...filter } });

/** Fetches the calls that the filter names, without samples, at most 200 at a time, and saves them as a file. */
export function useExportCalls(filter: CallFilter, save = downloadFile) {
  return useMutation({
    mutationFn: async () => {
      const day = new Date().toISOString().slice(0, 10);
      const { calls, isCut } = await readCalls(filter);
      save(`calls-${day}.csv`, 'text/csv;charset=utf-8', callsCsv(calls));
      const most = formatNumber(mostExported);
      if (isCut) toast({ title: t('analytics.exportCut', { most }) });
    },
    onError: (error) => toastFailure(error, t('analytics.exportFailed')),
  });
}

/** What a spreadsheet opens, and a browser holds, without trouble. */
const mostExported = 50_000;

async function readCalls(filter: CallFilter): Promise<{ calls: Call[]; isCut: boolean }> {
  const calls: Call[] = [];
  const query = { limit: callsPerExportRead, ...filter };
  for await (const page of eachPage(listCalls, { query })) {
    if (calls.length + page.length > mostExported) return { calls, isCut: true };
    // Without their notes and checklists, which the file does not have.
    for (const call of page)
      if (!call.sample) calls.push({ ...call, notesSnapshot: null, checklistItems: [] });
  }
  return { calls, isCut: false };
}
