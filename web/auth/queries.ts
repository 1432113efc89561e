import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  currentUser,
  forgotPassword,
  login,
  logout,
  register,
  resetPassword,
  type SignedInUser,
  type User,
} from '#domain/auth/contract.ts';
import type { SentBodyOf } from '#domain/contract.ts';
import { ApiError, request } from '#web/platform/api.ts';
import { forgetDrafts } from '#web/platform/drafts.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { toast, toastOnNextPage } from '#web/ui/toast-store.ts';

/** Null means signed out. Spec section 4: fresh for 30 seconds, cached for 5 minutes, one retry. */
export const currentUserQuery = queryOptions({
  queryKey: currentUser.path.split('/'),
  queryFn: ({ signal }): Promise<SignedInUser | null> =>
    request(currentUser, { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }),
  staleTime: 30_000,
  gcTime: 300_000,
  retry: 1,
});

const fullName = ({ firstName, lastName }: User) => ({ firstName, lastName });

/** The last step of every way of signing in. */
export function useSignedIn() {
  const queryClient = useQueryClient();
  return (user: SignedInUser) => {
    queryClient.setQueryData(currentUserQuery.queryKey, user);
    toast({
      title: t('auth.welcomeBack.title'),
      description: t('auth.welcomeBack.text', fullName(user)),
    });
  };
}

/** The password was right, and a second factor is required: not a failure. */
export const wantsSecondFactor = (error: unknown) =>
  error instanceof ApiError && error.problem?.code === 'second_factor_required';

export function useLogin() {
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof login>) => request(login, { body }),
    onSuccess: useSignedIn(),
    onError: (error) => {
      if (wantsSecondFactor(error)) return;
      toastFailure(error, loginFailure(error), t('auth.loginFailed.title'));
    },
  });
}

/** Too many attempts and an unreachable server have their own text; all else gets a generic one. */
function loginFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return t('auth.loginFailed.text');
  if (error.problem?.code === 'sso_required') return error.serverMessage ?? error.message;
  const otherCause = error.status === 0 || error.status === 429;
  return otherCause ? error.message : t('auth.loginFailed.text');
}

export function useRegister() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof register>) => request(register, { body }),
    onSuccess: (user) => {
      queryClient.setQueryData(currentUserQuery.queryKey, user);
      toast({
        title: t('auth.welcome.title'),
        description: t('auth.welcome.text', fullName(user)),
      });
    },
    onError: (error) =>
      toastFailure(
        error,
        serverMessage(error, t('auth.registrationFailed.text')),
        t('auth.registrationFailed.title'),
      ),
  });
}

/**
 * Signs out and goes to `/` by loading it, which drops everything fetched as this user. A refusal
 * is only logged; if the server is unreachable, the page also goes to `/` (spec section 7), where a
 * toast reports it.
 */
export function useLogout(go = (path: string) => window.location.assign(path)) {
  return useMutation({
    mutationFn: () => request(logout, {}),
    onSuccess: () => {
      forgetDrafts();
      toastOnNextPage({ title: t('auth.loggedOut.title'), description: t('auth.loggedOut.text') });
      go('/');
    },
    onError: (error) => {
      console.error('Logout failed', error);
      if (error instanceof ApiError && error.status !== 0) return;
      const title = t('auth.logoutFailed');
      toastOnNextPage({ title, description: title, tone: 'destructive' });
      go('/');
    },
  });
}

export const useForgotPassword = () =>
  useApiMutation((body: SentBodyOf<typeof forgotPassword>) => request(forgotPassword, { body }), {
    done: { title: t('auth.forgot.sent'), description: t('auth.forgot.sentText') },
    failed: { text: t('auth.forgot.failed') },
  });

/** Sets the password, which ends the account's sessions: the current user is read again. */
export const useResetPassword = (token: string) =>
  useApiMutation(
    (body: SentBodyOf<typeof resetPassword>) => request(resetPassword, { params: { token }, body }),
    {
      done: { title: t('auth.reset.done') },
      failed: { text: resetFailure },
      refresh: (queryClient) =>
        queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
    },
  );

/** Spec section 8: the server's message, unless it was unreachable or sent no usable one. */
export function resetFailure(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return t('auth.reset.unexpected');
  return serverMessage(error, t('auth.reset.failed'));
}
