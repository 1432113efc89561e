import { skipToken, useQuery } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import type { OrgId } from '#domain/ids.ts';
import { readOrganization, updateOrganization } from '#domain/organizations/contract.ts';
import { currentUserQuery } from '#web/auth/queries.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

export const organizationQuery = (orgId: OrgId) => reading(readOrganization, { params: { orgId } });

/** Undefined while loading, and for a person without an organization. */
export const useOrganization = (orgId: OrgId | null) =>
  useQuery(orgId ? organizationQuery(orgId) : { queryKey: ['no organization'], queryFn: skipToken })
    .data;

export const useUpdateOrganization = (orgId: OrgId) =>
  useApiMutation(
    (body: SentBodyOf<typeof updateOrganization>) =>
      request(updateOrganization, { params: { orgId }, body }),
    {
      done: { title: t('settings.saved') },
      failed: { text: t('settings.saveFailed') },
      refresh: (queryClient) =>
        Promise.all([
          queryClient.invalidateQueries({
            queryKey: keyOf(`/api/organizations/${orgId}`),
            exact: true,
          }),
          queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
        ]),
      refreshMode: 'background',
    },
  );
