import '#web/platform/payment-texts.ts';
import { Hourglass } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { useBilling } from '#web/billing/queries.ts';
import { t } from '#web/platform/texts.ts';
import { buttonClass } from '#web/ui/button.tsx';

/** Counts down the free trial, and says when Starter's calls are used up. */
export default function TrialBanner() {
  const { data: billing } = useBilling();
  const mayManage = useMay('billing.manage');
  const text = billing && bannerText(billing);
  if (!text) return null;
  return (
    <div
      role="status"
      className="mb-6 flex flex-wrap items-center gap-3 rounded-lg border bg-card px-4 py-3 text-sm print:hidden"
    >
      <Hourglass aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <p className="min-w-48 flex-1">{text}</p>
      {mayManage && (
        <a
          href="/app/settings/billing?pay"
          className={buttonClass({ look: 'outline', size: 'small' })}
        >
          {t('payment.trial.upgrade')}
        </a>
      )}
    </div>
  );
}

function bannerText({ trial, usage }: NonNullable<ReturnType<typeof useBilling>['data']>) {
  if (trial && trial.daysLeft > 0 && trial.callsLeft > 0) {
    const days = t('payment.trial.banner', { count: trial.daysLeft });
    return `${days}, ${t('payment.trial.calls', { count: trial.callsLeft })}`;
  }
  const { callsLeft, callsPerMonth } = usage;
  return callsLeft === 0 && callsPerMonth
    ? t('payment.trial.used', { limit: callsPerMonth })
    : null;
}
