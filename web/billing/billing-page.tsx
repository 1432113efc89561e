import type { Billing } from '#domain/billing/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { AccountStatus } from '#web/billing/account-status.tsx';
import { NotSetUp } from '#web/billing/not-set-up.tsx';
import { PlanCards } from '#web/billing/plan-cards.tsx';
import { useBilling } from '#web/billing/queries.ts';
import { t } from '#web/platform/texts.ts';
import { FailedState } from '#web/ui/failed-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function BillingPage() {
  const { data, error, refetch } = useBilling();
  return (
    <>
      <title>{`${t('billing.title')} · ${t('product')}`}</title>
      <PageHeader title={t('billing.title')} subtitle={t('billing.subtitle')} />
      {data ? (
        <Details billing={data} />
      ) : error ? (
        <FailedState
          title={t('billing.failed.title')}
          text={t('billing.failed.text')}
          retryLabel={t('common.tryAgain')}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className="grid gap-6">
          <Skeleton className="h-28" />
          <Skeleton className="h-72" />
        </div>
      )}
    </>
  );
}

function Details({ billing }: { billing: Billing }) {
  const mayManage = useMay('billing.manage');
  return (
    <div className="grid grid-cols-1 gap-6">
      {!mayManage && (
        <p role="note" className="rounded-md bg-muted px-3 py-2.5 text-sm">
          {t('billing.readOnly')}
        </p>
      )}
      {billing.provider === null && <NotSetUp mayManage={mayManage} />}
      <AccountStatus billing={billing} />
      <PlanCards current={billing.plan} />
    </div>
  );
}
