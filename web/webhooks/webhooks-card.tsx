import '#web/platform/webhook-texts.ts';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { type MadeWebhook, mostWebhooks, type Webhook } from '#domain/webhooks/contract.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { DeliveriesCard } from '#web/webhooks/deliveries-card.tsx';
import { MadeSecret } from '#web/webhooks/made-secret.tsx';
import { useWebhooks } from '#web/webhooks/queries.ts';
import { EditWebhookForm, NewWebhookForm } from '#web/webhooks/webhook-form.tsx';
import { nameOf, WebhookRow } from '#web/webhooks/webhook-row.tsx';

/** The list of webhooks, their forms, and the deliveries of the chosen one. */
export function WebhooksCard() {
  const { data, error, refetch } = useWebhooks();
  const dialog = useAddressDialog('webhook');
  const log = useAddressDialog('deliveries');
  const [made, setMade] = useState<MadeWebhook | null>(null);
  const close = () => {
    setMade(null);
    if (dialog.value !== null) dialog.close();
  };
  const edited = data?.find(({ id }) => id === dialog.value);
  const shown = data?.find(({ id }) => id === log.value);
  const title = made
    ? t('webhooks.made.title')
    : edited
      ? t('webhooks.form.edit')
      : t('webhooks.form.new');
  return (
    <div className="grid grid-cols-1 gap-6">
      <Card className="min-w-0">
        <CardHeader
          title={t('webhooks.card')}
          action={
            <Button
              size="small"
              disabled={(data?.length ?? 0) >= mostWebhooks}
              onClick={() => dialog.open()}
            >
              <Plus aria-hidden className="size-4" />
              {t('webhooks.open')}
            </Button>
          }
        />
        {error && !data ? (
          <LoadFailed error={error} onRetry={refetch} />
        ) : (
          <Rows
            webhooks={data}
            onMade={setMade}
            onEdit={({ id }) => dialog.open(id)}
            onLog={({ id }) => log.open(id)}
          />
        )}
      </Card>
      {shown && (
        <DeliveriesCard
          key={shown.id}
          id={shown.id}
          name={nameOf(shown)}
          isEnabled={shown.disabled === null}
        />
      )}
      <FormDialog open={dialog.value !== null || made !== null} onClose={close} title={title}>
        {made ? (
          <MadeSecret made={made} onDone={close} />
        ) : edited ? (
          <EditWebhookForm webhook={edited} onSaved={close} />
        ) : (
          <NewWebhookForm onMade={setMade} />
        )}
      </FormDialog>
    </div>
  );
}

interface RowsProps {
  webhooks: Webhook[] | undefined;
  onMade: (made: MadeWebhook) => void;
  onEdit: (webhook: Webhook) => void;
  onLog: (webhook: Webhook) => void;
}

function Rows({ webhooks, ...actions }: RowsProps) {
  if (!webhooks) return <RowsSkeleton rows={2} />;
  if (webhooks.length === 0)
    return (
      <EmptyState icon={WebhookIcon} title={t('webhooks.none')} text={t('webhooks.noneText')} />
    );
  return (
    <ul className="divide-y">
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} {...actions} />
      ))}
    </ul>
  );
}
