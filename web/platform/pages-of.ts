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
      const page = { ...input, query: { ...input.query, ...pageParam }, signal };
      return requestPage(contract, page);
    },
    initialPageParam: undefined as Cursor | undefined,
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

/** Where a page begins: after the item `before`, and in a sorted list after its key. */
export interface Cursor {
  before: string;
  beforeKey?: string;
}

/**
 * Fetches one page. `next` is where the next one begins. A page may be shorter than its limit though more
 * follow, so only `next` tells which one is the last.
 */
export async function requestPage<const C extends Contract>(
  contract: C,
  input: InputOf<C> & { signal?: AbortSignal },
): Promise<{ rows: OutputOf<C>; next: Cursor | undefined }> {
  const { body, headers } = await requestWithHeaders(contract, input);
  return { rows: body, next: nextOf(headers.get('link')) };
}

/** Fetches the pages of a list, one after the other, as they are asked for. */
export async function* eachPage<const C extends Contract>(
  contract: C,
  input: InputOf<C>,
  signal?: AbortSignal,
): AsyncGenerator<OutputOf<C>, void> {
  let cursor: Cursor | undefined;
  do {
    const query = { ...input.query, ...cursor };
    const page = { ...input, query, ...(signal ? { signal } : {}) };
    const { rows, next } = await requestPage(contract, page);
    yield rows;
    cursor = next;
  } while (cursor);
}

/** Returns where the next page begins, from `Link: <…?before=…>; rel="next"` (RFC 8288). */
export function nextOf(link: string | null): Cursor | undefined {
  const address = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  if (address === undefined) return undefined;
  const query = new URL(address, 'http://any').searchParams;
  const [before, beforeKey] = [query.get('before'), query.get('beforeKey')];
  if (before === null) return undefined;
  return beforeKey === null ? { before } : { before, beforeKey };
}
