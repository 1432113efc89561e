import '#web/platform/payment-texts.ts';
import type { Billing } from '#domain/billing/contract.ts';
import { formatDay } from '#web/billing/money.ts';
import { t } from '#web/platform/texts.ts';
import { buttonClass } from '#web/ui/button.tsx';

type Subscription = NonNullable<Billing['subscription']>;

/** What an admin should know or do about the subscription; nothing while all is well. */
export function SubscriptionNotice({ subscription }: { subscription: Subscription }) {
  const text = noticeOf(subscription);
  if (!text) return null;
  return (
    <div
      role="note"
      className="flex flex-wrap items-center gap-3 rounded-md bg-muted px-3 py-2.5 text-sm"
    >
      <p className="min-w-56 flex-1">{text}</p>
      {subscription.status === 'incomplete' && (
        <a href="/app/settings/billing?pay" className={buttonClass({ look: 'outline' })}>
          {t('payment.notice.continue')}
        </a>
      )}
    </div>
  );
}

function noticeOf({ status, cancelsAt }: Subscription): string | null {
  if (status === 'active' || status === 'trialing') {
    return cancelsAt && t('payment.notice.cancels', { date: formatDay(cancelsAt) });
  }
  return status === 'incomplete_expired' ? null : t(`payment.notice.${status}`);
}
