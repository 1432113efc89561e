import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { Contract, OutputOf } from '#domain/contract.ts';
import { type InputOf, request, segmentsOf } from '#web/platform/api.ts';
import { redirectWhenUnauthorized } from '#web/platform/unauthorized.ts';

/** Spec section 9, General data defaults. */
export const newQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: (error) => redirectWhenUnauthorized(error) }),
    mutationCache: new MutationCache({ onError: (error) => redirectWhenUnauthorized(error) }),
    defaultOptions: {
      queries: {
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        // Without a network a request fails visibly instead of waiting for one.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

/**
 * Returns a request as query options. Its key is the segments of its path, so that
 * `keyOf('/api/rooms')` covers the list of rooms and each room.
 */
export const reading = <const C extends Contract>(contract: C, input: InputOf<C>) => ({
  queryKey: [...segmentsOf(contract, input), ...(input.query ? [input.query] : [])],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<OutputOf<C>> =>
    request(contract, { ...input, signal }),
});

/** Returns the key of a path and everything below it, for refetching: `keyOf('/api/rooms')`. */
export const keyOf = (path: `/api/${string}`): string[] => path.split('/');
