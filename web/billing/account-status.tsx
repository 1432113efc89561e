import '#web/platform/payment-texts.ts';
import type { ReactNode } from 'react';
import type { Billing } from '#domain/billing/contract.ts';
import { formatNumber, t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

interface AccountStatusProps {
  billing: Billing;
  action: ReactNode;
}

/**
 * Plan, status and usage, whether or not a limit applies. The trial limits nothing without a card provider, and
 * is not shown then.
 */
export function AccountStatus({ billing, action }: AccountStatusProps) {
  const { plan, status, usage } = billing;
  const trial = billing.provider === null ? null : billing.trial;
  const { callsThisMonth: count, callsPerMonth: limit } = usage;
  return (
    <Card>
      <CardHeader title={t('billing.account.title')} action={action} />
      <dl className="grid gap-x-8 gap-y-5 p-5 sm:grid-cols-3">
        <Fact title={t('billing.account.plan')}>
          <span className="flex flex-wrap items-center gap-2">
            {t(`billing.plans.${plan}`)}
            <Badge look={status === 'active' ? 'success' : 'secondary'}>
              {t(`billing.account.${status}`)}
            </Badge>
            <SubscriptionBadge subscription={billing.subscription} />
          </span>
        </Fact>
        <Fact title={t('billing.account.calls')}>
          {limit !== null
            ? t('billing.account.callsOf', { count, limit })
            : trial && isRunning(trial)
              ? formatNumber(count)
              : t('billing.account.unlimited', { count })}
        </Fact>
        {trial && <Fact title={t('billing.account.trial')}>{trialText(trial)}</Fact>}
      </dl>
    </Card>
  );
}

/** The state of the subscription, where the plan's badge does not say it. */
function SubscriptionBadge({ subscription }: Pick<Billing, 'subscription'>) {
  const status = subscription?.status;
  if (!status || status === 'active' || status === 'incomplete_expired') return null;
  return <Badge look="secondary">{t(`payment.status.${status}`)}</Badge>;
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-xs text-muted-foreground">{title}</dt>
      <dd className="text-sm font-medium tabular-nums">{children}</dd>
    </div>
  );
}

type Trial = NonNullable<Billing['trial']>;

/** The trial's own limit is beside the calls, and no other applies meanwhile. */
const isRunning = ({ daysLeft, callsLeft }: Trial) => daysLeft > 0 && callsLeft > 0;

function trialText(trial: Trial): string {
  if (!isRunning(trial)) return t('billing.account.trialOver');
  const { daysLeft, callsLeft } = trial;
  const days = t('billing.account.trialDays', { count: daysLeft });
  return `${days}, ${t('billing.account.trialCalls', { count: callsLeft })}`;
}
