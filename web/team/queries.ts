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
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { wantsConfirmation } from '#web/security/queries.ts';
import { toast } from '#web/ui/toast-store.ts';

export const useMembers = () => usePagesOf(listUsers, {});
export const usePendingInvitations = () => usePagesOf(listInvitations, {});

export const useInvite = () =>
  useApiMutation((body: SentBodyOf<typeof inviteUser>) => request(inviteUser, { body }), {
    done: { title: t('team.invite.sent') },
    failed: { text: ({ message }) => message || t('team.invite.failed') },
    refresh: '/api/invitations',
    refreshMode: 'background',
  });

export const useChangeRole = () =>
  useApiMutation(
    ({ id, ...body }: Pick<User, 'id'> & SentBodyOf<typeof changeRole>) =>
      request(changeRole, { params: { userId: id }, body }),
    {
      done: { title: t('team.roleUpdated') },
      failed: { title: t('team.roleFailed') },
      refresh: '/api/users',
      refreshMode: 'always',
    },
  );

export const useRemoveMember = () =>
  useApiMutation(({ id }: Pick<User, 'id'>) => request(removeUser, { params: { id } }), {
    done: { title: t('team.removed') },
    failed: { title: t('team.removeFailed') },
    refresh: '/api/users',
    refreshMode: 'always',
  });

export const useSignOutMember = () =>
  useApiMutation(
    ({ id }: Pick<User, 'id' | 'email'>) => request(endUserSessions, { params: { id } }),
    {
      done: (_nothing, { email }) => toast({ title: t('team.signedOut', { email }) }),
      failed: { title: t('team.signOutFailed') },
    },
  );

export const useResendInvitation = () =>
  useApiMutation(
    ({ id }: Pick<Invitation, 'id'>) => request(resendInvitation, { params: { id } }),
    {
      done: { title: t('team.pending.resent'), description: t('team.pending.resentText') },
      failed: { title: t('team.pending.resendFailed') },
      refresh: '/api/invitations',
      refreshMode: 'always',
    },
  );

export const useCancelInvitation = () =>
  useApiMutation(
    ({ id }: Pick<Invitation, 'id'>) => request(cancelInvitation, { params: { id } }),
    {
      done: { title: t('team.pending.cancelled') },
      failed: { title: t('team.pending.cancelFailed') },
      refresh: '/api/invitations',
      refreshMode: 'always',
    },
  );

export const useAcceptInvitation = (token: string) =>
  useApiMutation(
    (body: SentBodyOf<typeof acceptInvitation>) =>
      request(acceptInvitation, { params: { token }, body }),
    {
      done: { title: t('invitation.done'), description: t('invitation.doneText') },
      failed: t('invitation.failed'),
    },
  );

/** @param name of the organization that invites */
export function useJoinByInvitation(token: string, name: string) {
  return useApiMutation(
    (body: Omit<SentBodyOf<typeof joinByInvitation>, 'invitation'>) =>
      request(joinByInvitation, { body: { invitation: token, ...body } }),
    {
      refresh: async (queryClient) => {
        const { queryKey } = currentUserQuery;
        // Everything else in the cache belongs to the organization that the account left.
        queryClient.removeQueries({ predicate: (query) => query.queryKey !== queryKey });
        await queryClient.invalidateQueries({ queryKey });
      },
      done: ({ mustSignIn }) => {
        const title = t('invitation.join.done', { name });
        toast(
          mustSignIn
            ? { title, description: t('invitation.join.signInAgain', { name }) }
            : { title },
        );
      },
      failed: t('invitation.failed'),
      // The dialog asks for the password instead.
      isHandled: wantsConfirmation,
    },
  );
}
