import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Contract, OutputOf } from '#domain/contract.ts';
import { type InputOf, requestWithHeaders, segmentsOf } from '#web/platform/api.ts';

/**
 * Returns a list that is fetched page by page. Other people change such lists, so it is fetched
 * again each time it is opened. `more` is absent if there is no further page.
 */
export function usePagesOf<const C extends Contract>(
  contract: C,
  input: InputOf<C>,
): {
  rows: OutputOf<C>[] | undefined;
  error: Error | null;
  retry: () => void;
  more: (() => void) | undefined;
  isLoadingMore: boolean;
  /** The rows answer an earlier query. */
  isOutdated: boolean;
} {
  const query = useInfiniteQuery({
    queryKey: [...segmentsOf(contract, input), 'pages', ...(input.query ? [input.query] : [])],
    queryFn: ({ pageParam, signal }) => {
      const page = { ...input, query: { ...input.query, before: pageParam }, signal };
      return requestPage(contract, page);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    // During a new search the previous rows stay until its answer arrives.
    placeholderData: keepPreviousData,
  });
  return {
    rows: query.data?.pages.map(({ rows }) => rows),
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    isLoadingMore: query.isFetchingNextPage,
    isOutdated: query.isPlaceholderData,
  };
}

/**
 * Fetches one page. `next` is the `before` of the next one. A page may be shorter than its limit though more
 * follow, so only `next` tells which one is the last.
 */
export async function requestPage<const C extends Contract>(
  contract: C,
  input: InputOf<C> & { signal?: AbortSignal },
): Promise<{ rows: OutputOf<C>; next: string | undefined }> {
  const { body, headers } = await requestWithHeaders(contract, input);
  return { rows: body, next: nextOf(headers.get('link')) };
}

/** Fetches the pages of a list, one after the other, as they are asked for. */
export async function* eachPage<const C extends Contract>(
  contract: C,
  input: InputOf<C>,
  signal?: AbortSignal,
): AsyncGenerator<OutputOf<C>, void> {
  let before: string | undefined;
  do {
    const query = { ...input.query, ...(before && { before }) };
    const page = { ...input, query, ...(signal ? { signal } : {}) };
    const { rows, next } = await requestPage(contract, page);
    yield rows;
    before = next;
  } while (before);
}

/** Returns the `before` of the next page, from `Link: <…?before=…>; rel="next"` (RFC 8288). */
export function nextOf(link: string | null): string | undefined {
  const address = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  if (address === undefined) return undefined;
  return new URL(address, 'http://any').searchParams.get('before') ?? undefined;
}
