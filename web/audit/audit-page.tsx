import { clsx } from 'clsx';
import { Clock, ScrollText, ShieldX } from 'lucide-react';
import { Link } from 'react-router';
import { listAuditEvents } from '#domain/audit/contract.ts';
import { AuditFilter } from '#web/audit/audit-filter.tsx';
import { AuditTable } from '#web/audit/audit-table.tsx';
import { ExportMenu } from '#web/audit/export-menu.tsx';
import { useAuditFilter } from '#web/audit/use-audit-filter.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { t } from '#web/platform/texts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** The events are requested only by admins, and only within an organization (spec section 6). */
export function AuditPage() {
  const { orgId } = useUser();
  const mayRead = useMay('audit.read') && orgId !== null;
  return (
    <>
      <title>{`${t('audit.title')} · ${t('product')}`}</title>
      {mayRead ? (
        <>
          <PageHeader
            title={t('audit.title')}
            subtitle={t('audit.subtitle')}
            action={
              <Link to="/app/settings/privacy" className={buttonClass({ look: 'outline' })}>
                <Clock aria-hidden className="size-4" />
                {t('audit.retention')}
              </Link>
            }
          />
          <RecentActivity />
        </>
      ) : (
        <Card>
          <EmptyState icon={ShieldX} title={t('audit.denied')} text={t('audit.deniedText')} />
        </Card>
      )}
    </>
  );
}

function RecentActivity() {
  const filter = useAuditFilter();
  return (
    <Card className="min-w-0">
      <CardHeader title={t('audit.recent')} action={<ExportMenu query={filter.query} />} />
      <AuditFilter filter={filter} />
      <Events filter={filter} />
    </Card>
  );
}

function Events({ filter }: { filter: ReturnType<typeof useAuditFilter> }) {
  const { query, isFiltered, clear } = filter;
  const { rows, error, retry, isOutdated, ...further } = usePagesOf(listAuditEvents, { query });
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
  if (events.length === 0 && isFiltered)
    return (
      <EmptyState
        icon={ScrollText}
        title={t('audit.filter.none')}
        text={t('audit.filter.noneText')}
        action={
          <Button look="outline" onClick={clear}>
            {t('audit.filter.clear')}
          </Button>
        }
      />
    );
  if (events.length === 0) return <EmptyState icon={ScrollText} title={t('audit.none')} />;
  return (
    <div aria-busy={isOutdated} className={clsx(isOutdated && 'opacity-60')}>
      <AuditTable events={events} />
      <LoadMore label={t('team.loadMore')} pendingLabel={t('team.loadingMore')} {...further} />
    </div>
  );
}
