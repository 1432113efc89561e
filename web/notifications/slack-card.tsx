import '#web/platform/webhook-texts.ts';
import { MessageSquare, Plus } from 'lucide-react';
import { mostSlackChannels, type SlackChannel } from '#domain/slack/contract.ts';
import { useSlackChannels } from '#web/notifications/queries.ts';
import { EditSlackForm, NewSlackForm } from '#web/notifications/slack-form.tsx';
import { SlackRow } from '#web/notifications/slack-row.tsx';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { DeliveriesCard } from '#web/webhooks/deliveries-card.tsx';

/** The Slack channels, their forms, and what was sent to the chosen one. */
export function SlackCard() {
  const { data, error, refetch } = useSlackChannels();
  const dialog = useAddressDialog('slack');
  const log = useAddressDialog('deliveries');
  const edited = data?.find(({ id }) => id === dialog.value);
  const shown = data?.find(({ id }) => id === log.value);
  return (
    <>
      <Card className="min-w-0">
        <CardHeader
          title={t('notifications.slack.title')}
          action={
            <Button
              size="small"
              disabled={(data?.length ?? 0) >= mostSlackChannels}
              onClick={() => dialog.open()}
            >
              <Plus aria-hidden className="size-4" />
              {t('notifications.slack.open')}
            </Button>
          }
        />
        {error && !data ? (
          <LoadFailed error={error} onRetry={refetch} />
        ) : (
          <Rows
            channels={data}
            onEdit={({ id }) => dialog.open(id)}
            onLog={({ id }) => log.open(id)}
          />
        )}
      </Card>
      {shown && (
        <DeliveriesCard
          key={shown.id}
          id={shown.id}
          name={shown.name}
          isEnabled={shown.disabled === null}
        />
      )}
      <FormDialog
        open={dialog.value !== null}
        onClose={dialog.close}
        title={t(edited ? 'notifications.slack.form.edit' : 'notifications.slack.form.new')}
      >
        {edited ? (
          <EditSlackForm channel={edited} onSaved={dialog.close} />
        ) : (
          <NewSlackForm onSaved={dialog.close} />
        )}
      </FormDialog>
    </>
  );
}

interface RowsProps {
  channels: SlackChannel[] | undefined;
  onEdit: (channel: SlackChannel) => void;
  onLog: (channel: SlackChannel) => void;
}

function Rows({ channels, ...actions }: RowsProps) {
  if (!channels) return <RowsSkeleton rows={2} />;
  if (channels.length === 0)
    return (
      <EmptyState
        icon={MessageSquare}
        title={t('notifications.slack.none')}
        text={t('notifications.slack.noneText')}
      />
    );
  return (
    <ul className="divide-y">
      {channels.map((channel) => (
        <SlackRow key={channel.id} channel={channel} {...actions} />
      ))}
    </ul>
  );
}
