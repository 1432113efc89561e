import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#domain/contract.ts';
import {
  authorizeCrm,
  connectCrm,
  disconnectCrm,
  listCrmConnections,
  listCrmSyncs,
  previewCrm,
  retryCrmSync,
  updateCrm,
} from '#domain/crm/contract.ts';
import { type CrmMapping, type CrmVendor, vendorNames } from '#domain/crm/mapping.ts';
import type { CallId, CrmConnectionId } from '#domain/ids.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { toast } from '#web/ui/toast-store.ts';

const list = '/api/crm-connections';
/** A call that waits is looked at again after so long. */
const lookAgainMs = 5000;

export const useCrmConnections = () =>
  useQuery({ ...reading(listCrmConnections, {}), staleTime: 0 });

/** Opens the vendor's page, where a person allows the access. */
export const useAuthorize = (vendor: CrmVendor) =>
  useApiMutation(() => request(authorizeCrm, { body: { vendor } }), {
    done: ({ url }) => window.location.assign(url),
    failed: { title: t('crm.refused', { name: vendorNames[vendor] }) },
  });

export const useConnect = (vendor: CrmVendor) =>
  useApiMutation(
    (given: Omit<BodyOf<typeof connectCrm>, 'vendor'>) =>
      request(connectCrm, { body: { vendor, ...given } }),
    {
      done: { title: t('crm.connected', { name: vendorNames[vendor] }) },
      failed: { title: t('crm.refused', { name: vendorNames[vendor] }) },
      refresh: list,
      refreshMode: 'background',
    },
  );

export const useUpdateCrm = (id: CrmConnectionId) =>
  useApiMutation((body: BodyOf<typeof updateCrm>) => request(updateCrm, { params: { id }, body }), {
    done: { title: t('crm.form.saved') },
    failed: t('crm.failed'),
    refresh: list,
    refreshMode: 'background',
  });

export const usePreview = (id: CrmConnectionId) =>
  useApiMutation(
    (mapping: CrmMapping) => request(previewCrm, { params: { id }, body: { mapping } }),
    { failed: t('crm.failed') },
  );

export const useDisconnect = (id: CrmConnectionId, name: string) =>
  useApiMutation(() => request(disconnectCrm, { params: { id } }), {
    failed: t('crm.failed'),
    done: ({ isRevoked }) =>
      toast({
        title: t('crm.disconnected', { name }),
        ...(isRevoked ? {} : { description: t('crm.notRevoked', { name }) }),
      }),
    refresh: list,
    refreshMode: 'always',
  });

export const useCrmSyncs = (id: CallId) =>
  useQuery({
    ...reading(listCrmSyncs, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some((sync) => sync.state === 'waiting' && !sync.isHeld) ? lookAgainMs : false,
  });

export function useRetrySync(id: CallId, vendor: CrmVendor) {
  const queryClient = useQueryClient();
  return useApiMutation(() => request(retryCrmSync, { params: { id }, body: { vendor } }), {
    done: { title: t('crm.call.retried', { name: vendorNames[vendor] }) },
    failed: t('crm.failed'),
    refresh: () => queryClient.invalidateQueries({ queryKey: keyOf(`/api/calls/${id}/crm-syncs`) }),
    refreshMode: 'always',
  });
}
