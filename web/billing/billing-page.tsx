import '#web/platform/payment-texts.ts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Billing } from '#domain/billing/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { AccountStatus } from '#web/billing/account-status.tsx';
import { BillingDetails } from '#web/billing/billing-details.tsx';
import { mayShowCardForm, reloadForCardForm } from '#web/billing/card-form-page.ts';
import { ManageBillingButton } from '#web/billing/manage-billing-button.tsx';
import { NotSetUp } from '#web/billing/not-set-up.tsx';
import { PlanCards } from '#web/billing/plan-cards.tsx';
import { useBilling } from '#web/billing/queries.ts';
import { SubscriptionNotice } from '#web/billing/subscription-notice.tsx';
import { usePaymentReturn } from '#web/billing/use-finish-payment.ts';
import { t } from '#web/platform/texts.ts';
import { FailedState } from '#web/ui/failed-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

// With the card provider's components.
const PaymentForm = lazy(() => import('#web/billing/payment-form.tsx'));

export function BillingPage() {
  const { data, error, refetch } = useBilling();
  usePaymentReturn();
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
  const [query] = useSearchParams();
  const { publishableKey, subscription } = billing;
  const sells = mayManage && publishableKey !== null;
  const canSubscribe = sells && billing.plan === 'starter';
  return (
    <div className="grid grid-cols-1 gap-6">
      {!mayManage && (
        <p role="note" className="rounded-md bg-muted px-3 py-2.5 text-sm">
          {t('billing.readOnly')}
        </p>
      )}
      {billing.provider === null && <NotSetUp mayManage={mayManage} />}
      {sells && subscription && <SubscriptionNotice subscription={subscription} />}
      <AccountStatus
        billing={billing}
        action={sells && subscription ? <ManageBillingButton /> : undefined}
      />
      {canSubscribe && query.has('pay') && <Payment publishableKey={publishableKey} />}
      <PlanCards current={billing.plan} canSubscribe={canSubscribe && !query.has('pay')} />
      {sells && subscription && <BillingDetails subscription={subscription} />}
    </div>
  );
}

/** The card form, in a page for which the server has allowed it. */
function Payment({ publishableKey }: { publishableKey: string }) {
  const isAllowed = mayShowCardForm();
  const [cannotReload, setCannotReload] = useState(false);
  useEffect(() => {
    if (!isAllowed) setCannotReload(!reloadForCardForm());
  }, [isAllowed]);
  if (cannotReload) {
    return (
      <FailedState
        title={t('billing.failed.title')}
        text={t('billing.failed.text')}
        retryLabel={t('common.tryAgain')}
        onRetry={() => location.reload()}
      />
    );
  }
  return (
    <Suspense fallback={<Skeleton className="h-72" />}>
      {isAllowed && <PaymentForm publishableKey={publishableKey} />}
    </Suspense>
  );
}
