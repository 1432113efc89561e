import '#web/platform/administration-texts.ts';
import { Clock, ScrollText, ShieldX } from 'lucide-react';
import { Link } from 'react-router';
import { listAuditEvents } from '#domain/audit/contract.ts';
import { AuditFilter } from '#web/audit/audit-filter.tsx';
import { AuditTable } from '#web/audit/audit-table.tsx';
import { ExportMenu } from '#web/audit/export-menu.tsx';
import { useAuditFilter } from '#web/audit/use-audit-filter.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { t } from '#web/platform/texts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
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
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('audit.denied')}</h1>}
            text={t('audit.deniedText')}
          />
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

interface EventsProps {
  filter: ReturnType<typeof useAuditFilter>;
}

function Events({ filter: { query, isFiltered, clear } }: EventsProps) {
  const noMatch = (
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
  return (
    <PagedRows
      pages={usePagesOf(listAuditEvents, { query })}
      loading={<Loading />}
      empty={isFiltered ? noMatch : <EmptyState icon={ScrollText} title={t('audit.none')} />}
      texts={{ loadMore: t('team.loadMore'), loadingMore: t('team.loadingMore') }}
    >
      {(events) => <AuditTable events={events} />}
    </PagedRows>
  );
}

function Loading() {
  return (
    <p role="status" className="grid h-[600px] place-items-center text-sm text-muted-foreground">
      {t('audit.loading')}
    </p>
  );
}
