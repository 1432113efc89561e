import '#web/platform/profile-texts.ts';
import '#web/platform/security-texts.ts';
import { useQuery } from '@tanstack/react-query';
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
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

/** Changes the name, which the sidebar and the lists of people show. */
export const useUpdateProfile = () =>
  useApiMutation((body: SentBodyOf<typeof updateProfile>) => request(updateProfile, { body }), {
    done: { title: t('profile.saved') },
    failed: t('profile.saveFailed'),
    stores: currentUserQuery.queryKey,
    refresh: '/api/users',
    refreshMode: 'background',
  });

/** Changes the language; the account's provider then shows the page in it. */
export const useChooseLanguage = () =>
  useApiMutation((body: SentBodyOf<typeof updateProfile>) => request(updateProfile, { body }), {
    done: (user) => {
      // The page learns the browser's language when it loads.
      if (user.language === null) window.location.reload();
    },
    failed: t('profile.languageFailed'),
    stores: currentUserQuery.queryKey,
  });

export const useChangePassword = () =>
  useApiMutation((body: SentBodyOf<typeof changePassword>) => request(changePassword, { body }), {
    done: { title: t('profile.password.done'), description: t('profile.password.doneText') },
    failed: t('profile.password.failed'),
    refresh: '/api/user/sessions',
  });

export const useSessions = () => useQuery({ ...reading(listSessions, {}), staleTime: 0 });

export const useEndSession = () =>
  useApiMutation((id: string) => request(endSession, { params: { id } }), {
    done: { title: t('security.sessions.ended') },
    failed: t('security.sessions.endFailed'),
    refresh: '/api/user/sessions',
  });

export const useEndOtherSessions = () =>
  useApiMutation(() => request(endOtherSessions, {}), {
    done: { title: t('profile.sessions.ended') },
    failed: t('profile.sessions.endFailed'),
    refresh: '/api/user/sessions',
  });

/** Makes an organization; the account is its admin from then on. */
export const useCreateOrganization = () =>
  useApiMutation(
    (body: SentBodyOf<typeof createOrganization>) => request(createOrganization, { body }),
    {
      done: { title: t('shell.noOrganization.done') },
      failed: t('shell.noOrganization.failed'),
      refresh: (queryClient) =>
        queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
    },
  );
