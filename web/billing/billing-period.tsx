import { clsx } from 'clsx';
import { useState } from 'react';
import {
  changePlan,
  type Offer,
  type PlanChangePreview,
  previewPlanChange,
} from '#domain/billing/contract.ts';
import type { BillingInterval } from '#domain/billing/subscription.ts';
import { formatMoney } from '#web/billing/money.ts';
import { request } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

interface BillingPeriodProps {
  offers: readonly Offer[];
  current: BillingInterval;
}

/** Monthly or yearly billing. A change shows its proration before it is confirmed. */
export function BillingPeriod({ offers, current }: BillingPeriodProps) {
  const [shown, setShown] = useState<PlanChangePreview | null>(null);
  const other = current === 'month' ? 'year' : 'month';
  const offer = offers.find(({ interval }) => interval === current);
  const preview = useApiMutation(() => request(previewPlanChange, { body: { interval: other } }), {
    done: setShown,
    failed: t('payment.interval.previewFailed'),
  });
  const change = useApiMutation(
    (prorationAt: number) => request(changePlan, { body: { interval: other, prorationAt } }),
    {
      done: () => setShown(null),
      failed: { title: t('payment.failed.title') },
      refresh: '/api/billing',
      refreshMode: 'always',
    },
  );
  return (
    <Card>
      <CardHeader title={t('payment.interval.title')} />
      <div className="grid gap-4 p-5 text-sm">
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-48 flex-1">
            {offer && t(`payment.interval.per_${current}`, { price: formatMoney(offer) })}
          </p>
          {!shown && (
            <Button
              look="outline"
              disabled={preview.isPending}
              onClick={() => preview.mutate(undefined)}
            >
              {other === 'year' ? t('payment.interval.look') : t('payment.interval.look_month')}
            </Button>
          )}
        </div>
        {shown && (
          <Proration
            preview={shown}
            isPending={change.isPending}
            onConfirm={() => change.mutate(shown.prorationAt)}
            onCancel={() => setShown(null)}
          />
        )}
      </div>
    </Card>
  );
}

interface ProrationProps {
  preview: PlanChangePreview;
  isPending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

function Proration({ preview, isPending, onConfirm, onCancel }: ProrationProps) {
  const { lines, currency } = preview;
  return (
    <section aria-label={t('payment.interval.preview')} className="grid gap-3">
      <dl className="grid gap-2 tabular-nums">
        {lines.map(({ text, amount }) => (
          <Line key={text} text={text} price={formatMoney({ amount, currency })} />
        ))}
        <Line text={t('payment.interval.due')} price={formatMoney(preview)} isSum />
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button disabled={isPending} onClick={onConfirm}>
          {t('payment.interval.confirm', { price: formatMoney(preview) })}
        </Button>
        <Button look="outline" disabled={isPending} onClick={onCancel}>
          {t('payment.interval.cancel')}
        </Button>
      </div>
    </section>
  );
}

function Line({ text, price, isSum }: { text: string; price: string; isSum?: true }) {
  return (
    <div className={clsx('flex justify-between gap-4', isSum && 'border-t pt-2 font-medium')}>
      <dt>{text}</dt>
      <dd>{price}</dd>
    </div>
  );
}
