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
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { confirmed } from '#web/security/confirm-self.ts';

export const useScimTokens = () => usePagesOf(listScimTokens, {});
export const useScimGroups = () => usePagesOf(listScimGroups, {});
export const scimSettingsQuery = reading(readScimSettings, {});

export const useCreateToken = () =>
  useApiMutation(
    (body: SentBodyOf<typeof createScimToken>) =>
      confirmed(() => request(createScimToken, { body })),
    {
      failed: { title: t('scim.token.failed') },
      refresh: '/api/scim-tokens',
      refreshMode: 'background',
    },
  );

export const useRotateToken = ({ id }: ScimToken) =>
  useApiMutation(
    (body: SentBodyOf<typeof rotateScimToken>) =>
      confirmed(() => request(rotateScimToken, { params: { id }, body })),
    {
      failed: { title: t('scim.rotate.failed') },
      refresh: '/api/scim-tokens',
      refreshMode: 'background',
    },
  );

export const useRevokeToken = () =>
  useApiMutation(({ id }: ScimToken) => request(revokeScimToken, { params: { id } }), {
    done: { title: t('scim.revoke.done') },
    failed: { title: t('scim.revoke.failed') },
    refresh: '/api/scim-tokens',
    refreshMode: 'always',
  });

export const useAdoptToken = () =>
  useApiMutation(
    ({ id }: ScimToken) => confirmed(() => request(adoptScimToken, { params: { id } })),
    {
      done: { title: t('scim.adopt.done') },
      failed: { title: t('scim.adopt.failed') },
      refresh: '/api/scim-tokens',
      refreshMode: 'always',
    },
  );

export const useSetGroupRole = () =>
  useApiMutation(
    ({ id, role }: Pick<ScimGroup, 'id' | 'role'>) =>
      request(setGroupRole, { params: { id }, body: { role } }),
    {
      done: { title: t('scim.groups.saved') },
      failed: { title: t('scim.groups.failed') },
      refresh: '/api/scim-groups',
      refreshMode: 'always',
    },
  );

export const useUpdateScimSettings = () =>
  useApiMutation(
    (body: SentBodyOf<typeof updateScimSettings>) => request(updateScimSettings, { body }),
    {
      done: { title: t('scim.setup.saved') },
      failed: { title: t('scim.setup.failed') },
      stores: scimSettingsQuery.queryKey,
    },
  );
