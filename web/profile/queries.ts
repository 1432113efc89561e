import '#web/platform/security-texts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import { createOrganization } from '#domain/organizations/contract.ts';
import {
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  updateProfile,
} from '#domain/profile/contract.ts';
import { currentUserQuery } from '#web/auth/queries.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Changes the name; the sidebar and the lists of people show it at once. */
export function useUpdateProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof updateProfile>) => request(updateProfile, { body }),
    onSuccess: (user) => {
      queryClient.setQueryData(currentUserQuery.queryKey, user);
      toast({ title: t('profile.saved') });
      return queryClient.invalidateQueries({ queryKey: keyOf('/api/users') });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('profile.saveFailed'))),
  });
}

/** The page is opened again by the account's provider, in the new language. */
export function useChooseLanguage() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof updateProfile>) => request(updateProfile, { body }),
    onSuccess: (user) => {
      queryClient.setQueryData(currentUserQuery.queryKey, user);
      // Like the browser: which language that is, the page finds out by opening.
      if (user.language === null) window.location.reload();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('profile.languageFailed'))),
  });
}

export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof changePassword>) => request(changePassword, { body }),
    onSuccess: () => {
      toast({ title: t('profile.password.done'), description: t('profile.password.doneText') });
      return queryClient.invalidateQueries({ queryKey: keyOf('/api/user/sessions') });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('profile.password.failed'))),
  });
}

export const useSessions = () => useQuery({ ...reading(listSessions, {}), staleTime: 0 });

export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(endSession, { params: { id } }),
    onSuccess: () => {
      toast({ title: t('security.sessions.ended') });
      return queryClient.invalidateQueries({ queryKey: keyOf('/api/user/sessions') });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('security.sessions.endFailed'))),
  });
}

export function useEndOtherSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => request(endOtherSessions, {}),
    onSuccess: () => {
      toast({ title: t('profile.sessions.ended') });
      return queryClient.invalidateQueries({ queryKey: keyOf('/api/user/sessions') });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('profile.sessions.endFailed'))),
  });
}

/** Makes an organization; the person is its admin from then on. */
export function useCreateOrganization() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof createOrganization>) =>
      request(createOrganization, { body }),
    onSuccess: () => {
      toast({ title: t('shell.noOrganization.done') });
      return queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('shell.noOrganization.failed'))),
  });
}
