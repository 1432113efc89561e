import '#web/platform/payment-texts.ts';
import { openPortal } from '#domain/billing/contract.ts';
import { request } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { Button } from '#web/ui/button.tsx';

/** Opens the card provider's page for cards, invoices and cancellation. */
export function ManageBillingButton() {
  const { mutate, isPending } = useApiMutation(() => request(openPortal, {}), {
    done: ({ url }) => location.assign(url),
    failed: t('payment.manageFailed'),
  });
  return (
    <Button look="outline" size="small" disabled={isPending} onClick={() => mutate(undefined)}>
      {t('payment.manage')}
    </Button>
  );
}
