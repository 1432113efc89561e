import { ScrollText, ShieldX } from 'lucide-react';
import { listAuditEvents } from '#domain/audit/contract.ts';
import { AuditTable } from '#web/audit/audit-table.tsx';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** The events are asked for only by admins, and only within an organisation (spec section 6). */
export function AuditPage() {
  const { orgId } = useUser();
  const mayRead = useMay('audit.read') && orgId !== null;
  return (
    <>
      <title>{`${t('audit.title')} · ${t('product')}`}</title>
      {mayRead ? (
        <>
          <PageHeader title={t('audit.title')} subtitle={t('audit.subtitle')} />
          <Card className="min-w-0">
            <CardHeader title={t('audit.recent')} />
            <Events />
          </Card>
        </>
      ) : (
        <Card>
          <EmptyState icon={ShieldX} title={t('audit.denied')} text={t('audit.deniedText')} />
        </Card>
      )}
    </>
  );
}

function Events() {
  const { rows, error, retry, ...further } = usePagesOf(listAuditEvents, {});
  if (error)
    return (
      <FailedState
        title={t('common.loadFailed')}
        text={error.message}
        retryLabel={t('common.tryAgain')}
        onRetry={retry}
      />
    );
  if (!rows)
    return (
      <p role="status" className="grid h-[600px] place-items-center text-sm text-muted-foreground">
        {t('audit.loading')}
      </p>
    );
  const events = rows.flat();
  if (events.length === 0) return <EmptyState icon={ScrollText} title={t('audit.none')} />;
  return (
    <>
      <AuditTable events={events} />
      <LoadMore label={t('team.loadMore')} pendingLabel={t('team.loadingMore')} {...further} />
    </>
  );
}
