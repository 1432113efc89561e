import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listCalls, readCall, type UpdateCallBody, updateCall } from '#domain/calls/contract.ts';
import type { CallFilter } from '#domain/calls/filter.ts';
import type { CallId } from '#domain/ids.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';

export const recentCallsLimit = 5;

/** The newest calls, or those that a filter names. */
export const useRecentCalls = (filter: CallFilter = {}) =>
  useQuery(reading(listCalls, { query: { limit: recentCallsLimit, ...filter } }));

/** Always fetched: the call may still be running. */
export const useCallDetails = (id: CallId) =>
  useQuery({ ...reading(readCall, { params: { id } }), staleTime: 0 });

/**
 * Refetches everything that shows calls, as soon as it is on the screen. The open room is excluded:
 * fetching it would join its call with another token.
 */
export const refreshCalls = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf('/api/calls') }),
    queryClient.invalidateQueries({ queryKey: keyOf('/api/call-count') }),
    queryClient.invalidateQueries({ queryKey: keyOf('/api/analytics') }),
    queryClient.invalidateQueries({ queryKey: keyOf('/api/rooms'), exact: true }),
  ]);

export function useUpdateCall() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: UpdateCallBody & { id: CallId }) =>
      request(updateCall, { params: { id }, body }),
    onSettled: () => refreshCalls(queryClient),
  });
}
