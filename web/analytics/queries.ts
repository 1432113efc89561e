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
 * One page of calls: those before the call `before`, or the newest. The page that follows is read
 * ahead; `next` is its `before`, absent where no more calls follow.
 */
export function useCallsPage(before: CallId | undefined) {
  const page = useQuery({ ...callsBefore(before), placeholderData: keepPreviousData });
  const calls = page.isPlaceholderData ? undefined : page.data;
  const last = calls?.length === callsPerPage ? calls.at(-1)?.id : undefined;
  const following = useQuery({ ...callsBefore(last), enabled: last !== undefined });
  const next = last && following.data?.length !== 0 ? last : undefined;
  return { ...page, next };
}

/** Calls as one list: as many at a time as one answer holds. */
export const useEveryCall = () => usePagesOf(listCalls, { query: { limit: callsPerExportRead } });

/** Reads every call, 200 at a time, and hands them over as a file. */
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
