import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  cancelDeletion,
  erasePerson,
  readPrivacy,
  requestDeletion,
  updateRetention,
} from '#domain/privacy/contract.ts';
import { failureOf, request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { wantsConfirmation } from '#web/security/queries.ts';
import { toast } from '#web/ui/toast-store.ts';

export const usePrivacy = () => useQuery({ ...reading(readPrivacy, {}), staleTime: 0 });

function useRefresh(path: `/api/${string}` = '/api/privacy') {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(path) });
}

export function useUpdateRetention() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof updateRetention>) => request(updateRetention, { body }),
    onSuccess: () => {
      toast({ title: t('privacy.retention.saved') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('privacy.retention.failed'))),
  });
}

export function useErasePerson() {
  const refresh = useRefresh('/api/users');
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof erasePerson>) => request(erasePerson, { body }),
    onSuccess: () => toast({ title: t('privacy.person.erased') }),
    onError: (error) => toastFailure(error, serverMessage(error, t('privacy.person.failed'))),
    onSettled: refresh,
  });
}

/** Saves the data about a person as a file; a refusal is shown instead. */
export function useDownloadPerson() {
  return useMutation({
    mutationFn: async (person: Record<string, string>) => {
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
    onError: (error) => toastFailure(error, serverMessage(error, t('privacy.person.notFound'))),
  });
}

export function useRequestDeletion(orgId: OrgId) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof requestDeletion>) =>
      request(requestDeletion, { params: { orgId }, body }),
    onSuccess: () => {
      toast({ title: t('privacy.deletion.requested') });
      return refresh();
    },
    onError: (error) => {
      if (wantsConfirmation(error)) return;
      toastFailure(error, serverMessage(error, t('privacy.deletion.failed')));
    },
  });
}

export function useCancelDeletion(orgId: OrgId) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => request(cancelDeletion, { params: { orgId } }),
    onSuccess: () => {
      toast({ title: t('privacy.deletion.kept') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('privacy.deletion.keepFailed'))),
  });
}
