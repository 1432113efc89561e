import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { OutputOf } from '#domain/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { correctLine, getTranscript, type TranscriptLine } from '#domain/transcripts/contract.ts';
import { request } from '#web/platform/api.ts';
import { keyOf } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

type Page = OutputOf<typeof getTranscript>;

const liveMs = 4_000;
const keyOfTranscript = (id: CallId) => [...keyOf(`/api/calls/${id}/transcript`), 'pages'];

/** A call's transcript, page by page. While the call runs it is read again and again. */
export function useTranscript(id: CallId) {
  return useInfiniteQuery({
    queryKey: keyOfTranscript(id),
    queryFn: ({ pageParam, signal }) =>
      request(getTranscript, {
        params: { id },
        query: { ...(pageParam !== undefined && { after: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.state === 'live' ? liveMs : false),
  });
}

export function useCorrectLine(id: CallId, line: TranscriptLine) {
  const queries = useQueryClient();
  return useApiMutation(
    (text: string) => request(correctLine, { params: { id: line.id }, body: { text } }),
    {
      failed: t('transcript.notSaved'),
      done: (changed: TranscriptLine) =>
        queries.setQueryData(keyOfTranscript(id), (data: InfiniteData<Page> | undefined) =>
          data ? { ...data, pages: data.pages.map((page) => withLine(page, changed)) } : data,
        ),
    },
  );
}

const withLine = (page: Page, changed: TranscriptLine): Page => ({
  ...page,
  lines: page.lines.map((line) => (line.id === changed.id ? changed : line)),
});
