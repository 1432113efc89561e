import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type RecordedStep,
  readGettingStarted,
  recordFirstStep,
} from '#domain/getting-started/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';

const { queryKey, queryFn } = reading(readGettingStarted, {});

/** Null for people who only view, and until it has loaded. A failure shows nothing: the list is no one’s work. */
export function useGettingStarted() {
  const isOffered = useMay('rooms.create');
  // Another person or page may have taken a step meanwhile.
  const { data } = useQuery({ queryKey, queryFn, enabled: isOffered, staleTime: 0 });
  return (isOffered && data) || null;
}

export function useRefreshGettingStarted() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey });
}

/** Records what leaves no other row. A failure is only logged: the person has done the step all the same. */
export function useRecordStep(step: RecordedStep) {
  const refresh = useRefreshGettingStarted();
  return useMutation({
    mutationFn: () => request(recordFirstStep, { body: { step } }),
    onSuccess: refresh,
    onError: (error) => console.error('The step could not be recorded', error),
  });
}
