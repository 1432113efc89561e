import '#web/platform/webhook-texts.ts';
import { Pencil, Play, Power, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SlackChannel } from '#domain/slack/contract.ts';
import {
  useEnableSlackChannel,
  useRemoveSlackChannel,
  useTestSlackChannel,
} from '#web/notifications/queries.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { toast } from '#web/ui/toast-store.ts';

interface SlackRowProps {
  channel: SlackChannel;
  onEdit: (channel: SlackChannel) => void;
  onLog: (channel: SlackChannel) => void;
}

/** One Slack channel with its state, and what can be done with it. */
export function SlackRow({ channel, onEdit, onLog }: SlackRowProps) {
  const { name, addressEnd, disabled } = channel;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-48 flex-1 text-sm">
        <h3 className="font-medium wrap-anywhere">{name}</h3>
        <p className="mt-1 text-muted-foreground">
          {`${sentTo(channel)} · ${t('notifications.slack.address', { end: addressEnd })}`}
        </p>
        {disabled && (
          <p className="text-muted-foreground">
            {t(`notifications.slack.reason.${disabled.reason}`, {
              time: formatDateTime(disabled.at),
            })}
          </p>
        )}
      </div>
      <State disabled={disabled} />
      <div className="flex items-center gap-1">
        <Button
          look="outline"
          size="small"
          aria-label={`${t('notifications.slack.log')}: ${name}`}
          onClick={() => onLog(channel)}
        >
          {t('notifications.slack.log')}
        </Button>
        <Actions channel={channel} onEdit={onEdit} onLog={onLog} />
      </div>
    </li>
  );
}

function sentTo({ callEnded, lowScore }: SlackChannel): string {
  const events = [
    ...(callEnded ? [t('notifications.slack.callEnded')] : []),
    ...(lowScore === null ? [] : [t('notifications.slack.lowScore', { score: lowScore })]),
  ];
  return events.length > 0 ? events.join(', ') : t('notifications.slack.nothing');
}

function State({ disabled }: Pick<SlackChannel, 'disabled'>) {
  if (!disabled) return <Badge look="success">{t('notifications.slack.active')}</Badge>;
  return disabled.reason === 'member' ? (
    <Badge look="outline">{t('notifications.slack.disabled')}</Badge>
  ) : (
    <Badge look="destructive">{t('notifications.slack.attention')}</Badge>
  );
}

function Actions({ channel, onEdit, onLog }: SlackRowProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  const enable = useEnableSlackChannel(channel);
  const remove = useRemoveSlackChannel(channel);
  const test = useTestSlackChannel(channel);
  const { name, disabled } = channel;
  const turn = (on: boolean) => {
    const done = on ? 'notifications.slack.enabled' : 'notifications.slack.wasDisabled';
    enable.mutate(on, { onSuccess: () => toast({ title: t(done) }) });
  };
  return (
    <>
      <Menu
        label={t('notifications.slack.actionsFor', { name })}
        items={[
          { title: t('notifications.slack.edit'), icon: Pencil, onSelect: () => onEdit(channel) },
          {
            title: t('notifications.slack.test'),
            icon: Send,
            onSelect: () => test.mutate(undefined, { onSuccess: () => onLog(channel) }),
            disabled: disabled !== null || test.isPending,
          },
          disabled
            ? { title: t('notifications.slack.enable'), icon: Play, onSelect: () => turn(true) }
            : { title: t('notifications.slack.disable'), icon: Power, onSelect: () => turn(false) },
          {
            title: t('notifications.slack.remove'),
            icon: Trash2,
            onSelect: () => setIsRemoving(true),
          },
        ]}
      />
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setIsRemoving}
        title={t('notifications.slack.confirmTitle')}
        text={t('notifications.slack.confirmText', { name })}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('notifications.slack.remove')}
        look="destructive"
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: () => setIsRemoving(false) })}
      />
    </>
  );
}
