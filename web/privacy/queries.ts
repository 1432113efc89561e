import { useQuery } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  cancelDeletion,
  erasePerson,
  readPrivacy,
  requestDeletion,
  updateRetention,
} from '#domain/privacy/contract.ts';
import { readRecordingStorage } from '#domain/recordings/contract.ts';
import { failureOf, request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { wantsConfirmation } from '#web/security/queries.ts';

export const usePrivacy = () => useQuery({ ...reading(readPrivacy, {}), staleTime: 0 });

export const useRecordingStorage = () =>
  useQuery({ ...reading(readRecordingStorage, {}), staleTime: 0 });

export const useUpdateRetention = () =>
  useApiMutation((body: SentBodyOf<typeof updateRetention>) => request(updateRetention, { body }), {
    done: { title: t('privacy.retention.saved') },
    failed: t('privacy.retention.failed'),
    refresh: '/api/privacy',
  });

export const useErasePerson = () =>
  useApiMutation((body: SentBodyOf<typeof erasePerson>) => request(erasePerson, { body }), {
    done: { title: t('privacy.person.erased') },
    failed: t('privacy.person.failed'),
    refresh: '/api/users',
    refreshMode: 'always',
  });

/** Saves the data about a person as a file. */
export const useDownloadPerson = () =>
  useApiMutation(
    async (person: Record<string, string>) => {
      const response = await fetch(`/api/privacy/person?${new URLSearchParams(person)}`);
      if (!response.ok) throw await failureOf(response);
      const address = URL.createObjectURL(await response.blob());
      const link = Object.assign(document.createElement('a'), {
        href: address,
        download: 'person.json',
      });
      link.click();
      URL.revokeObjectURL(address);
    },
    { failed: t('privacy.person.notFound') },
  );

export const useRequestDeletion = (orgId: OrgId) =>
  useApiMutation(
    (body: SentBodyOf<typeof requestDeletion>) =>
      request(requestDeletion, { params: { orgId }, body }),
    {
      done: { title: t('privacy.deletion.requested') },
      failed: t('privacy.deletion.failed'),
      isHandled: wantsConfirmation,
      refresh: '/api/privacy',
    },
  );

export const useCancelDeletion = (orgId: OrgId) =>
  useApiMutation(() => request(cancelDeletion, { params: { orgId } }), {
    done: { title: t('privacy.deletion.kept') },
    failed: t('privacy.deletion.keepFailed'),
    refresh: '/api/privacy',
  });
