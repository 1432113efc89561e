import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import {
  type FoundPage,
  type SearchQuery,
  searchCalls,
  searchQuery,
} from '#domain/search/contract.ts';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { request, segmentsOf } from '#web/platform/api.ts';
import { withValues } from '#web/platform/with-values.ts';

const names = ['q', 'speaker', 'callId', 'exact'] as const;
type Name = (typeof names)[number];
const filterNames = 'period from to agentId roomId playbookId score guests speaker'.split(' ');

/** Pages without calls that are skipped before a person is asked. */
const mostSkipped = 5;

/** What the address searches for, with the filters of calls; what is invalid in it is dropped. */
export function useSearchAddress() {
  const [params, setParams] = useSearchParams();
  const { calls } = useCallFilter();
  const { shape } = searchQuery;
  const chosen: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = params.get(name)?.trim();
    if (value && (name === 'q' || shape[name].safeParse(value).success)) chosen[name] = value;
  }
  const { search: _, sort: __, ...filters } = calls;
  const query = { ...filters, ...chosen } as Partial<SearchQuery>;
  const write = (values: Record<string, string>) =>
    setParams((before) => withValues(before, values), {
      replace: true,
      state: null,
      preventScrollReset: true,
    });
  const clear = () => write(Object.fromEntries(filterNames.map((name) => [name, ''])));
  const hasFilter = Object.keys(filters).length > 0 || chosen.speaker !== undefined;
  return { chosen, query, write, clear, hasFilter };
}

/** The calls that the query finds, page by page; nothing is requested without words. */
export function useFoundCalls(query: Partial<SearchQuery>) {
  const { q = '' } = query;
  return useInfiniteQuery({
    queryKey: [...segmentsOf(searchCalls, { query: { q } }), 'pages', query],
    queryFn: async ({ pageParam, signal }) => {
      let before = pageParam;
      let page: FoundPage;
      let skipped = 0;
      do {
        const more = before ? { before } : {};
        page = await request(searchCalls, { query: { ...query, q, ...more }, signal });
        before = page.next ?? undefined;
        skipped += 1;
      } while (page.calls.length === 0 && before && skipped < mostSkipped);
      return page;
    },
    initialPageParam: undefined as SearchQuery['before'],
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: q !== '',
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
