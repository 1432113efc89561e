import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallId } from '#domain/ids.ts';
import { getRecording } from '#domain/recordings/contract.ts';
import { getTranscript, mostTranscriptLines } from '#domain/transcripts/contract.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';

/** How often a page asks whether the recording is ready, and a running call for its new lines. */
const refreshMs = { recording: 15_000, processing: 3000, live: 10_000 };

/** The recording of a call. Its addresses are short-lived, so that it is read again with each visit. */
export const useRecording = (id: CallId) =>
  useQuery({
    ...reading(getRecording, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'recording' || data?.state === 'processing' ? refreshMs[data.state] : false,
  });

/** All lines of a call's transcript, a page at a time. */
export function useTranscript(id: CallId) {
  const query = useInfiniteQuery({
    queryKey: keyOf(`/api/calls/${id}/transcript`),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      request(getTranscript, {
        params: { id },
        query: { limit: mostTranscriptLines, ...(pageParam ? { after: pageParam } : {}) },
        signal,
      }),
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.at(-1)?.state === 'live' ? refreshMs.live : false,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage, data } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return {
    state: data?.pages[0]?.state ?? null,
    missingPhrases: data?.pages[0]?.missingPhrases ?? 0,
    lines: data?.pages,
    error: query.error,
    isComplete: data !== undefined && !hasNextPage,
    refetch: () => (data ? fetchNextPage() : query.refetch()),
  };
}
