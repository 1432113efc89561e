import type { Contract, SentBodyOf } from '#domain/contract.ts';
import type { SsoConnectionId, SsoDomainId, SsoFlowId } from '#domain/ids.ts';
import {
  assignDomain,
  claimDomain,
  createConnection,
  readSso,
  readTest,
  removeConnection,
  removeDomain,
  testConnection,
  updateConnection,
  updatePolicy,
  verifyDomain,
} from '#domain/sso/contract.ts';
import { request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { confirmed } from '#web/security/confirm-self.ts';
import { toast } from '#web/ui/toast-store.ts';

export const ssoQuery = { ...reading(readSso, {}), staleTime: 0 };
export const testQuery = (id: SsoFlowId) => ({
  ...reading(readTest, { params: { id } }),
  staleTime: 0,
});

function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  { done, failed }: { done?: (output: Output) => void; failed: string },
) {
  return useApiMutation((input: Input) => confirmed(() => change(input)), {
    ...(done && { done }),
    failed: { title: failed },
    refresh: '/api/sso',
    refreshMode: 'background',
  });
}

type Body<C extends Contract> = SentBodyOf<C>;
const byId = <Id>(id: Id) => ({ params: { id } });

export const useClaimDomain = () =>
  useChange((body: Body<typeof claimDomain>) => request(claimDomain, { body }), {
    failed: t('sso.failed'),
  });

export const useVerifyDomain = () =>
  useChange((id: SsoDomainId) => request(verifyDomain, byId(id)), {
    done: ({ verifiedAt, endsAt }) =>
      verifiedAt && endsAt === null
        ? toast({ title: t('sso.domains.isVerified') })
        : toast({
            title: t('sso.domains.isMissing'),
            description: t('sso.domains.isMissingText'),
            tone: 'destructive',
          }),
    failed: t('sso.failed'),
  });

export const useAssignDomain = (id: SsoDomainId) =>
  useChange((body: Body<typeof assignDomain>) => request(assignDomain, { ...byId(id), body }), {
    done: () => toast({ title: t('sso.domains.assigned') }),
    failed: t('sso.failed'),
  });

export const useRemoveDomain = () =>
  useChange((id: SsoDomainId) => request(removeDomain, byId(id)), {
    failed: t('sso.removeFailed'),
  });

export const useCreateConnection = () =>
  useChange((body: Body<typeof createConnection>) => request(createConnection, { body }), {
    failed: t('sso.failed'),
  });

export const useUpdateConnection = (id: SsoConnectionId) =>
  useChange(
    (body: Body<typeof updateConnection>) => request(updateConnection, { ...byId(id), body }),
    {
      done: () => toast({ title: t('sso.connections.saved') }),
      failed: t('sso.failed'),
    },
  );

export const useRemoveConnection = () =>
  useChange((id: SsoConnectionId) => request(removeConnection, byId(id)), {
    failed: t('sso.removeFailed'),
  });

/** Goes to the identity provider, which sends the browser back to the result. */
export const useTestConnection = (go = (url: string) => window.location.assign(url)) =>
  useChange((id: SsoConnectionId) => request(testConnection, byId(id)), {
    done: ({ url }) => go(url),
    failed: t('sso.connections.testFailed'),
  });

export const useUpdatePolicy = () =>
  useChange((body: Body<typeof updatePolicy>) => request(updatePolicy, { body }), {
    done: () => toast({ title: t('sso.policy.saved') }),
    failed: t('sso.failed'),
  });
