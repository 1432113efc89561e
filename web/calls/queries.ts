import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listCalls, type UpdateCallBody, updateCall } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { call } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';

export const recentCallsLimit = 5;

export const useRecentCalls = () =>
  useQuery(reading(listCalls, { query: { limit: recentCallsLimit } }));

/** Changes a call, and has everything that shows calls read anew. */
export function useUpdateCall() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: UpdateCallBody & { id: CallId }) =>
      call(updateCall, { params: { id }, body }),
    onSettled: () =>
      Promise.all(
        (['/api/calls', '/api/analytics', '/api/rooms'] as const).map((path) =>
          queryClient.invalidateQueries({ queryKey: keyOf(path), refetchType: 'none' }),
        ),
      ),
  });
}
