import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readAnalytics } from '#domain/analytics/contract.ts';
import type { AnalyticsFilter } from '#domain/analytics/filter.ts';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { reading } from '#web/platform/query-client.ts';

/**
 * The figures that the filters of the address name.
 * @param fixed what the whole page is of
 */
export function useAnalytics(fixed: AnalyticsFilter = {}) {
  const query = { ...useCallFilter().figures, ...fixed };
  return useQuery({
    ...reading(readAnalytics, Object.keys(query).length > 0 ? { query } : {}),
    placeholderData: keepPreviousData,
  });
}
