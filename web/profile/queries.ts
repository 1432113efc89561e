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

/** Changes the name, which the sidebar and the lists of people show immediately. */
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

/** Changes the language; the AuthProvider then reloads the page in it. */
export function useChooseLanguage() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof updateProfile>) => request(updateProfile, { body }),
    onSuccess: (user) => {
      queryClient.setQueryData(currentUserQuery.queryKey, user);
      // The browser's language: only a reload determines which one that is.
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

/** Creates an organization, whose admin the person becomes. */
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
