import type { QueryClient } from '@tanstack/react-query';
import {
  type ApiToken,
  createApiToken,
  createOrganizationToken,
  listApiTokens,
  listOrganizationTokens,
  revokeApiToken,
  revokeOrganizationToken,
} from '#domain/api/contract.ts';
import type { SentBodyOf } from '#domain/contract.ts';
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { keyOf } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { confirmed } from '#web/security/confirm-self.ts';

/** Whose tokens a card shows. Those of the organization include those of its members. */
export type TokensOf = 'personal' | 'organization';

const contracts = {
  personal: { create: createApiToken, revoke: revokeApiToken },
  organization: { create: createOrganizationToken, revoke: revokeOrganizationToken },
} as const;

export const usePersonalTokens = () => usePagesOf(listApiTokens, {});
export const useOrganizationTokens = () => usePagesOf(listOrganizationTokens, {});

/** A personal token is in both lists. */
const refresh = (queryClient: QueryClient) =>
  Promise.all(
    [listApiTokens, listOrganizationTokens].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: keyOf(path) }),
    ),
  );

export const useCreateApiToken = (of: TokensOf) =>
  useApiMutation(
    (body: SentBodyOf<typeof createApiToken>) =>
      confirmed(() => request(contracts[of].create, { body })),
    { failed: { title: t('api.form.failed') }, refresh, refreshMode: 'background' },
  );

export const useRevokeApiToken = (of: TokensOf) =>
  useApiMutation(({ id }: ApiToken) => request(contracts[of].revoke, { params: { id } }), {
    done: { title: t('api.revoke.done') },
    failed: { title: t('api.revoke.failed') },
    refresh,
    refreshMode: 'always',
  });
