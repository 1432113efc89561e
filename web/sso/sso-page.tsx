import '#web/platform/administration-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { ShieldX } from 'lucide-react';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { ConfirmSelf } from '#web/security/confirm-dialog.tsx';
import { ConnectionsCard } from '#web/sso/connections-card.tsx';
import { DomainsCard } from '#web/sso/domains-card.tsx';
import { PolicyCard } from '#web/sso/policy-card.tsx';
import { ssoQuery } from '#web/sso/queries.ts';
import { TestResultDialog } from '#web/sso/test-result-dialog.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The organization's single sign-on, for its admins. */
export function SsoPage() {
  const { orgId } = useUser();
  const mayManage = useMay('sso.manage') && orgId !== null;
  return (
    <>
      <title>{`${t('sso.title')} · ${t('product')}`}</title>
      {mayManage ? (
        <>
          <PageHeader title={t('sso.title')} subtitle={t('sso.subtitle')} />
          <Overview />
          <TestResultDialog />
          <ConfirmSelf />
        </>
      ) : (
        <Card>
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('sso.denied')}</h1>}
            text={t('sso.deniedText')}
          />
        </Card>
      )}
    </>
  );
}

function Overview() {
  const { data, error, refetch } = useQuery(ssoQuery);
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-96" />;
  return (
    <div className="grid grid-cols-1 gap-6">
      <DomainsCard domains={data.domains} connections={data.connections} />
      <ConnectionsCard connections={data.connections} />
      <PolicyCard
        key={JSON.stringify(data.policy)}
        policy={data.policy}
        unboundMembers={data.unboundMembers}
      />
    </div>
  );
}
