import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { User } from '#domain/auth/contract.ts';
import type { SentBodyOf } from '#domain/contract.ts';
import {
  acceptInvitation,
  cancelInvitation,
  changeRole,
  endUserSessions,
  type Invitation,
  inviteUser,
  joinByInvitation,
  listInvitations,
  listUsers,
  removeUser,
  resendInvitation,
} from '#domain/team/contract.ts';
import { currentUserQuery } from '#web/auth/queries.ts';
import { ApiError, request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { keyOf } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { wantsConfirmation } from '#web/security/queries.ts';
import { toast } from '#web/ui/toast-store.ts';

export const useMembers = () => usePagesOf(listUsers, {});
export const usePendingInvitations = () => usePagesOf(listInvitations, {});

function useRefresh(path: `/api/${string}`) {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(path) });
}

/** Shows the failure, with the server's reason if there is one. */
function toastRefusal(error: unknown, failed: string): void {
  const why = error instanceof ApiError ? error.serverMessage : undefined;
  if (why) toastFailure(error, why, failed);
  else toastFailure(error, failed);
}

export function useInvite() {
  const refresh = useRefresh('/api/invitations');
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof inviteUser>) => request(inviteUser, { body }),
    onSuccess: () => {
      toast({ title: t('team.invite.sent') });
      // Not awaited: the form is done.
      void refresh();
    },
    onError: (error) => toastFailure(error, error.message || t('team.invite.failed')),
  });
}

export function useChangeRole() {
  const refresh = useRefresh('/api/users');
  return useMutation({
    mutationFn: ({ id, ...body }: Pick<User, 'id'> & SentBodyOf<typeof changeRole>) =>
      request(changeRole, { params: { userId: id }, body }),
    onSuccess: () => toast({ title: t('team.roleUpdated') }),
    onError: (error) => toastRefusal(error, t('team.roleFailed')),
    onSettled: refresh,
  });
}

export function useRemoveMember() {
  const refresh = useRefresh('/api/users');
  return useMutation({
    mutationFn: ({ id }: Pick<User, 'id'>) => request(removeUser, { params: { id } }),
    onSuccess: () => toast({ title: t('team.removed') }),
    onError: (error) => toastRefusal(error, t('team.removeFailed')),
    onSettled: refresh,
  });
}

export const useSignOutMember = () =>
  useMutation({
    mutationFn: ({ id }: Pick<User, 'id' | 'email'>) =>
      request(endUserSessions, { params: { id } }),
    onSuccess: (_done, { email }) => toast({ title: t('team.signedOut', { email }) }),
    onError: (error) => toastRefusal(error, t('team.signOutFailed')),
  });

export function useResendInvitation() {
  const refresh = useRefresh('/api/invitations');
  return useMutation({
    mutationFn: ({ id }: Pick<Invitation, 'id'>) => request(resendInvitation, { params: { id } }),
    onSuccess: () =>
      toast({ title: t('team.pending.resent'), description: t('team.pending.resentText') }),
    onError: (error) => toastRefusal(error, t('team.pending.resendFailed')),
    onSettled: refresh,
  });
}

export function useCancelInvitation() {
  const refresh = useRefresh('/api/invitations');
  return useMutation({
    mutationFn: ({ id }: Pick<Invitation, 'id'>) => request(cancelInvitation, { params: { id } }),
    onSuccess: () => toast({ title: t('team.pending.cancelled') }),
    onError: (error) => toastRefusal(error, t('team.pending.cancelFailed')),
    onSettled: refresh,
  });
}

export function useAcceptInvitation(token: string) {
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof acceptInvitation>) =>
      request(acceptInvitation, { params: { token }, body }),
    onSuccess: () => toast({ title: t('invitation.done'), description: t('invitation.doneText') }),
    onError: (error) => toastFailure(error, serverMessage(error, t('invitation.failed'))),
  });
}

/** @param name of the organization that invites */
export function useJoinByInvitation(token: string, name: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Omit<SentBodyOf<typeof joinByInvitation>, 'invitation'>) =>
      request(joinByInvitation, { body: { invitation: token, ...body } }),
    onSuccess: async ({ mustSignIn }) => {
      const { queryKey } = currentUserQuery;
      // All other cached data belongs to the previous organization.
      queryClient.removeQueries({ predicate: (query) => query.queryKey !== queryKey });
      await queryClient.invalidateQueries({ queryKey });
      const title = t('invitation.join.done', { name });
      toast(
        mustSignIn ? { title, description: t('invitation.join.signInAgain', { name }) } : { title },
      );
    },
    onError: (error) => {
      // The dialog asks for the password instead.
      if (wantsConfirmation(error)) return;
      toastFailure(error, serverMessage(error, t('invitation.failed')));
    },
  });
}
