import {
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { keyOf } from '#web/platform/query-client.ts';
import { failureReason, toastFailure } from '#web/platform/toast-failure.ts';
import { type ToastContent, toast } from '#web/ui/toast-store.ts';

interface Effects<Input, Output> {
  /** The toast after success, or what to do with the answer. */
  done?: ToastContent | ((output: Output, input: Input) => unknown);
  /**
   * The toast after a failure. A string is its text where the server gives no reason; `title` stands
   * above the server's reason; `text` replaces the reason, also as a function of the failure.
   */
  failed: string | { title: string } | { text: string | ((error: Error) => string) };
  /** Failures that the caller shows in another way. */
  isHandled?: (error: unknown) => boolean;
  /** The query that receives the answer. */
  stores?: QueryKey;
  /** The queries to read again after success: those of a path and of all paths below it, or by a function. */
  refresh?: `/api/${string}` | ((queryClient: QueryClient) => Promise<unknown>);
  /**
   * `wait`: the mutation is pending until `refresh` is done. `background`: it is not, so that a form
   * closes. `always`: as `wait`, and after a failure, too, which may mean that a list is out of date.
   */
  refreshMode?: 'wait' | 'background' | 'always';
}

/** A change by the API, with what follows it: a toast, and the queries that it changes. */
export function useApiMutation<Input, Output>(
  change: (input: Input) => Promise<Output>,
  {
    done,
    failed,
    isHandled = () => false,
    stores,
    refresh,
    refreshMode = 'wait',
  }: Effects<Input, Output>,
) {
  const queryClient = useQueryClient();
  const refreshed = async () => {
    if (typeof refresh === 'string')
      await queryClient.invalidateQueries({ queryKey: keyOf(refresh) });
    else await refresh?.(queryClient);
  };
  return useMutation({
    mutationFn: change,
    onSuccess: async (output, input) => {
      if (stores) queryClient.setQueryData(stores, output);
      if (typeof done === 'function') await done(output, input);
      else if (done) toast(done);
      const refreshing = refreshed();
      if (refreshMode !== 'background') await refreshing;
    },
    onError: (error) => {
      if (refreshMode === 'always') void refreshed();
      if (!isHandled(error)) toastMutationFailure(error, failed);
    },
  });
}

function toastMutationFailure(error: Error, failed: Effects<unknown, unknown>['failed']): void {
  const reason = failureReason(error);
  if (typeof failed === 'string') toastFailure(error, reason ?? failed);
  else if ('text' in failed) {
    const { text } = failed;
    toastFailure(error, typeof text === 'string' ? text : text(error));
  } else if (reason === undefined) toastFailure(error, failed.title);
  else toastFailure(error, reason, failed.title);
}
