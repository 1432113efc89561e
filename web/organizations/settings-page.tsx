import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { OrgId } from '#domain/ids.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { OrganizationCaptureCard } from '#web/consent/capture-cards.tsx';
import { IntegrationCards } from '#web/organizations/integration-cards.tsx';
import { LogoField } from '#web/organizations/logo-field.tsx';
import { organizationQuery } from '#web/organizations/queries.ts';
import { SettingsForm } from '#web/organizations/settings-form.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { SpeechServiceCard } from '#web/transcripts/speech-service-card.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const OrganizationWaitingText = lazy(() => import('#web/links/organization-waiting-text.tsx'));

export function SettingsPage() {
  const { orgId } = useUser();
  const mayUpdate = useMay('organization.update');
  return (
    <>
      <title>{`${t('settings.title')} · ${t('product')}`}</title>
      <PageHeader title={t('settings.title')} subtitle={t('settings.subtitle')} />
      <div className="grid grid-cols-1 gap-6">
        {orgId && (
          <Card>
            <CardHeader title={t('settings.organization')} />
            <OrganizationSettings orgId={orgId} />
          </Card>
        )}
        {orgId && mayUpdate && (
          <Suspense>
            <OrganizationWaitingText orgId={orgId} />
          </Suspense>
        )}
        {orgId && <OrganizationCaptureCard />}
        {orgId && <SpeechServiceCard />}
        <IntegrationCards />
      </div>
    </>
  );
}

function OrganizationSettings({ orgId }: { orgId: OrgId }) {
  const mayUpdate = useMay('organization.update');
  const { data, error, refetch } = useQuery(organizationQuery(orgId));
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="m-5 h-64" />;
  return (
    <div className="grid gap-5 p-5">
      {!mayUpdate && (
        <p role="note" className="rounded-md bg-muted px-3 py-2.5 text-sm">
          {t('settings.denied')}
        </p>
      )}
      <LogoField organization={data} readOnly={!mayUpdate} />
      <SettingsForm organization={data} readOnly={!mayUpdate} />
    </div>
  );
}
