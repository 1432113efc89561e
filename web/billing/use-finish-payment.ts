import '#web/platform/payment-texts.ts';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { getOrCreateSubscription } from '#domain/billing/contract.ts';
import { request } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { toast } from '#web/ui/toast-store.ts';

/** A card's payment is confirmed within seconds; a bank's may take days. */
const readings = 5;
const pauseMs = 1500;

/** Returns what follows a payment that was confirmed: only the server says that it has succeeded. */
export function useFinishPayment(): () => Promise<unknown> {
  const navigate = useNavigate();
  const { mutateAsync } = useApiMutation(becomesPaid, {
    done: async (isPaid) => {
      const outcome = isPaid ? 'success' : 'processing';
      toast({ title: t(`payment.${outcome}.title`), description: t(`payment.${outcome}.text`) });
      await navigate('/app/settings/billing', { replace: true });
    },
    failed: { text: t('payment.processing.text') },
    // The plan is shown everywhere.
    refresh: (queryClient) => queryClient.invalidateQueries(),
  });
  return () => mutateAsync(undefined).catch(() => undefined);
}

async function becomesPaid(): Promise<boolean> {
  for (let reading = 0; reading < readings; reading += 1) {
    if (reading > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const { subscriptionId } = await request(getOrCreateSubscription, {});
    if (subscriptionId) return true;
  }
  return false;
}

/** Finishes a payment for which the card provider has left the page, such as for 3-D Secure. */
export function usePaymentReturn(): void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const finish = useFinishPayment();
  const status = query.get('redirect_status');
  const handled = useRef<string | null>(null);
  useEffect(() => {
    if (!status || handled.current === status) return;
    handled.current = status;
    if (status !== 'failed') return void finish();
    toastFailure(null, t('payment.failed.text'), t('payment.failed.title'));
    void navigate('/app/settings/billing', { replace: true });
  }, [status, finish, navigate]);
}
