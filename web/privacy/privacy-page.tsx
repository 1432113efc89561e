import '#web/platform/administration-texts.ts';
import { ShieldX } from 'lucide-react';
import type { OrgId } from '#domain/ids.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { CookiesCard } from '#web/privacy/cookies-card.tsx';
import { DeletionCard } from '#web/privacy/deletion-card.tsx';
import { PersonCard } from '#web/privacy/person-card.tsx';
import { ProcessorsCard } from '#web/privacy/processors-card.tsx';
import { usePrivacy } from '#web/privacy/queries.ts';
import { RetentionForm } from '#web/privacy/retention-form.tsx';
import { StorageCard } from '#web/privacy/storage-card.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/**
 * The personal data that is stored, for admins: how long, by which processors, and how to export or
 * delete it.
 */
export function PrivacyPage() {
  const { orgId } = useUser();
  const mayManage = useMay('privacy.manage');
  return (
    <>
      <title>{`${t('privacy.title')} · ${t('product')}`}</title>
      {mayManage && orgId !== null ? (
        <>
          <PageHeader title={t('privacy.title')} subtitle={t('privacy.subtitle')} />
          <Cards orgId={orgId} />
        </>
      ) : (
        <Card>
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('privacy.denied')}</h1>}
            text={t('privacy.deniedText')}
          />
        </Card>
      )}
    </>
  );
}

function Cards({ orgId }: { orgId: OrgId }) {
  const { data, error, refetch } = usePrivacy();
  if (error && !data)
    return (
      <Card>
        <LoadFailed error={error} onRetry={refetch} />
      </Card>
    );
  if (!data) return <Skeleton className="h-96" />;
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <div className="grid min-w-0 grid-cols-1 gap-6">
        <Card>
          <CardHeader title={t('privacy.retention.title')} />
          <RetentionForm retention={data.retention} />
        </Card>
        <StorageCard />
        <DeletionCard orgId={orgId} deletion={data.deletion} />
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-6">
        <PersonCard />
        <ProcessorsCard processors={data.processors} />
        <CookiesCard />
      </div>
    </div>
  );
}
