import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { reading } from '#web/platform/query-client.ts';

/** The figures that the filters of the address name. */
export function useAnalytics() {
  const { figures, hasFigureFilter } = useCallFilter();
  return useQuery({
    ...reading(readAnalytics, hasFigureFilter ? { query: figures } : {}),
    placeholderData: keepPreviousData,
  });
}
