import '#web/platform/payment-texts.ts';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { type PlanId, planList } from '#domain/billing/plans.ts';
import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

interface PlanCardsProps {
  current: PlanId;
  /** Whether Professional can be bought here. */
  canSubscribe: boolean;
}

/** The plans (domain/billing/plans.ts), with the current one marked. */
export function PlanCards({ current, canSubscribe }: PlanCardsProps) {
  return (
    <section aria-label={t('billing.plans.title')}>
      <ul className="grid gap-4 lg:grid-cols-3">
        {planList.map((plan) => (
          <li key={plan.id} aria-current={plan.id === current ? 'true' : undefined}>
            <PlanCard
              plan={plan}
              isCurrent={plan.id === current}
              canSubscribe={canSubscribe && plan.id === 'professional'}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PlanCardProps {
  plan: (typeof planList)[number];
  isCurrent: boolean;
  canSubscribe: boolean;
}

function PlanCard({ plan, isCurrent, canSubscribe }: PlanCardProps) {
  return (
    <Card
      className={clsx(
        'flex h-full flex-col gap-4 p-5',
        isCurrent && 'outline-2 -outline-offset-1 outline-brand-edge',
      )}
    >
      <div>
        {/* Side by side, each card keeps a line for its badges, so that the prices align. */}
        <div className="flex min-h-5.5 flex-wrap items-center justify-between gap-2 lg:grid">
          <h2 className="text-sm font-semibold">{t(`billing.plans.${plan.id}`)}</h2>
          <span className="flex flex-wrap gap-1 lg:min-h-5.5">
            {plan.mostPopular && <Badge look="secondary">{t('billing.plans.mostPopular')}</Badge>}
            {isCurrent && <Badge>{t('billing.plans.current')}</Badge>}
          </span>
        </div>
        <p className="mt-2 text-2xl font-semibold tracking-tight tabular-nums">
          {t('billing.plans.price', { dollars: plan.priceDollarsPerMonth })}
        </p>
      </div>
      <ul className="grid gap-2">
        {plan.contents.map(({ id }) => (
          <li key={id} className="flex items-start gap-2 text-sm">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
            {t(`billing.contents.${id}`)}
          </li>
        ))}
      </ul>
      {canSubscribe && (
        <a href="/app/settings/billing?pay" className={clsx(buttonClass(), 'mt-auto')}>
          {t('payment.upgrade')}
        </a>
      )}
      {plan.contactSales && !isCurrent && (
        <a href="/contact" className={clsx(buttonClass({ look: 'outline' }), 'mt-auto')}>
          {t('billing.plans.contactSales')}
        </a>
      )}
    </Card>
  );
}
