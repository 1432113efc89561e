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
import type { CallId } from '#domain/ids.ts';
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
  useApiMutation(() => request(authorizeCrm, { params: { vendor } }), {
    done: ({ url }) => window.location.assign(url),
    failed: { title: t('crm.refused', { name: vendorNames[vendor] }) },
  });

export const useConnect = (vendor: CrmVendor) =>
  useApiMutation(
    (body: BodyOf<typeof connectCrm>) => request(connectCrm, { params: { vendor }, body }),
    {
      done: { title: t('crm.connected', { name: vendorNames[vendor] }) },
      failed: { title: t('crm.refused', { name: vendorNames[vendor] }) },
      refresh: list,
      refreshMode: 'background',
    },
  );

export const useUpdateCrm = (vendor: CrmVendor) =>
  useApiMutation(
    (body: BodyOf<typeof updateCrm>) => request(updateCrm, { params: { vendor }, body }),
    {
      done: { title: t('crm.form.saved') },
      failed: t('crm.failed'),
      refresh: list,
      refreshMode: 'background',
    },
  );

export const usePreview = (vendor: CrmVendor) =>
  useApiMutation(
    (mapping: CrmMapping) => request(previewCrm, { params: { vendor }, body: { mapping } }),
    { failed: t('crm.failed') },
  );

export const useDisconnect = (vendor: CrmVendor) => {
  const name = vendorNames[vendor];
  return useApiMutation(() => request(disconnectCrm, { params: { vendor } }), {
    failed: t('crm.failed'),
    done: ({ isRevoked }) =>
      toast({
        title: t('crm.disconnected', { name }),
        ...(isRevoked ? {} : { description: t('crm.notRevoked', { name }) }),
      }),
    refresh: list,
    refreshMode: 'always',
  });
};

export const useCrmSyncs = (id: CallId) =>
  useQuery({
    ...reading(listCrmSyncs, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some((sync) => sync.state === 'waiting' && !sync.isHeld) ? lookAgainMs : false,
  });

export function useRetrySync(id: CallId, vendor: CrmVendor) {
  const queryClient = useQueryClient();
  return useApiMutation(() => request(retryCrmSync, { params: { id, vendor } }), {
    done: { title: t('crm.call.retried', { name: vendorNames[vendor] }) },
    failed: t('crm.failed'),
    refresh: () => queryClient.invalidateQueries({ queryKey: keyOf(`/api/calls/${id}/crm-syncs`) }),
    refreshMode: 'always',
  });
}
