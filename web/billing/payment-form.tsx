import '#web/platform/payment-texts.ts';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { getOrCreateSubscription, readBillingDetails } from '#domain/billing/contract.ts';
import { loadStripeForm } from '#web/billing/load-stripe.ts';
import { formatMoney } from '#web/billing/money.ts';
import { useFinishPayment } from '#web/billing/use-finish-payment.ts';
import { request } from '#web/platform/api.ts';
import { keyOf } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { storedTheme } from '#web/platform/theme.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

/** The card form of the first payment. Cards are entered in Stripe's frame, which this page cannot read. */
export default function PaymentForm({ publishableKey }: { publishableKey: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...keyOf('/api/get-or-create-subscription'), 'form'],
    queryFn: () => openForm(publishableKey),
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <Card aria-label={t('payment.form.title')}>
      <CardHeader title={t('payment.form.title')} />
      <div className="p-5">
        {data ? (
          <OpenForm form={data} />
        ) : error ? (
          <FailedState
            title={t('payment.form.unavailable.title')}
            text={t('payment.form.unavailable.text')}
            retryLabel={t('common.tryAgain')}
            onRetry={() => void refetch()}
          />
        ) : (
          <Spinner label={t('common.loading')} />
        )}
      </div>
    </Card>
  );
}

async function openForm(publishableKey: string) {
  const [stripe, { clientSecret }, { offers }] = await Promise.all([
    loadStripeForm(publishableKey),
    request(getOrCreateSubscription, {}),
    request(readBillingDetails, {}),
  ]);
  return { stripe, clientSecret, offer: offers.find(({ interval }) => interval === 'month') };
}
type Form = Awaited<ReturnType<typeof openForm>>;

function OpenForm({ form: { stripe, clientSecret, offer } }: { form: Form }) {
  // Paid in another tab.
  if (!clientSecret) return <p className="text-sm">{t('payment.success.text')}</p>;
  return (
    <div className="grid gap-4">
      {offer && (
        <p className="text-sm">
          {t('payment.form.price_month', { price: formatMoney(offer) })}{' '}
          <span className="text-muted-foreground">{t('payment.form.secure')}</span>
        </p>
      )}
      <Elements stripe={stripe} options={{ clientSecret, appearance: appearance() }}>
        <CardFields />
      </Elements>
    </div>
  );
}

function CardFields() {
  const stripe = useStripe();
  const elements = useElements();
  const finish = useFinishPayment();
  const [isPaying, setPaying] = useState(false);

  async function pay(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!stripe || !elements || isPaying) return;
    setPaying(true);
    try {
      const { error } = await stripe.confirmPayment({
        elements,
        confirmParams: { return_url: `${location.origin}/app/settings/billing` },
        redirect: 'if_required',
      });
      if (error) {
        toastFailure(error, error.message ?? t('payment.failed.text'), t('payment.failed.title'));
      } else await finish();
    } catch (error) {
      toastFailure(error, t('payment.failed.text'), t('payment.failed.title'));
    } finally {
      setPaying(false);
    }
  }

  return (
    <form className="grid gap-4" onSubmit={(event) => void pay(event)}>
      <PaymentElement />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={!stripe || isPaying}>
          {isPaying ? t('payment.form.paying') : t('payment.form.pay')}
        </Button>
        <Link to="/app/settings/billing" className={buttonClass({ look: 'outline' })}>
          {t('payment.form.close')}
        </Link>
      </div>
    </form>
  );
}

function appearance(): { theme: 'night' | 'stripe' } {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return { theme: (storedTheme() ?? system) === 'dark' ? 'night' : 'stripe' };
}
