import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import {
  adoptScimToken,
  createScimToken,
  listScimGroups,
  listScimTokens,
  readScimSettings,
  revokeScimToken,
  rotateScimToken,
  type ScimGroup,
  type ScimToken,
  setGroupRole,
  updateScimSettings,
} from '#domain/scim/contract.ts';
import { ApiError, request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { confirmed } from '#web/security/confirm-self.ts';
import { toast } from '#web/ui/toast-store.ts';

export const useScimTokens = () => usePagesOf(listScimTokens, {});
export const useScimGroups = () => usePagesOf(listScimGroups, {});
export const scimSettingsQuery = reading(readScimSettings, {});

function useRefresh(path: `/api/${string}`) {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(path) });
}

function toastRefusal(error: unknown, failed: string): void {
  const why = error instanceof ApiError ? error.serverMessage : undefined;
  if (why) toastFailure(error, why, failed);
  else toastFailure(error, failed);
}

export function useCreateToken() {
  const refresh = useRefresh('/api/scim-tokens');
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof createScimToken>) =>
      confirmed(() => request(createScimToken, { body })),
    // Not awaited: the form is done.
    onSuccess: () => void refresh(),
    onError: (error) => toastRefusal(error, t('scim.token.failed')),
  });
}

export function useRotateToken({ id }: ScimToken) {
  const refresh = useRefresh('/api/scim-tokens');
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof rotateScimToken>) =>
      confirmed(() => request(rotateScimToken, { params: { id }, body })),
    onError: (error) => toastRefusal(error, t('scim.rotate.failed')),
    onSettled: () => void refresh(),
  });
}

export function useRevokeToken() {
  const refresh = useRefresh('/api/scim-tokens');
  return useMutation({
    mutationFn: ({ id }: ScimToken) => request(revokeScimToken, { params: { id } }),
    onSuccess: () => toast({ title: t('scim.revoke.done') }),
    onError: (error) => toastRefusal(error, t('scim.revoke.failed')),
    onSettled: refresh,
  });
}

export function useAdoptToken() {
  const refresh = useRefresh('/api/scim-tokens');
  return useMutation({
    mutationFn: ({ id }: ScimToken) => confirmed(() => request(adoptScimToken, { params: { id } })),
    onSuccess: () => toast({ title: t('scim.adopt.done') }),
    onError: (error) => toastRefusal(error, t('scim.adopt.failed')),
    onSettled: refresh,
  });
}

export function useSetGroupRole() {
  const refresh = useRefresh('/api/scim-groups');
  return useMutation({
    mutationFn: ({ id, role }: Pick<ScimGroup, 'id' | 'role'>) =>
      request(setGroupRole, { params: { id }, body: { role } }),
    onSuccess: () => toast({ title: t('scim.groups.saved') }),
    onError: (error) => toastRefusal(error, t('scim.groups.failed')),
    onSettled: refresh,
  });
}

export function useUpdateScimSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof updateScimSettings>) =>
      request(updateScimSettings, { body }),
    onSuccess: (settings) => {
      queryClient.setQueryData(scimSettingsQuery.queryKey, settings);
      toast({ title: t('scim.setup.saved') });
    },
    onError: (error) => toastRefusal(error, t('scim.setup.failed')),
  });
}
