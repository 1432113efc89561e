import '#web/platform/webhook-texts.ts';
import { KeyRound, Pencil, Play, Power, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { MadeWebhook, Webhook } from '#domain/webhooks/contract.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { toast } from '#web/ui/toast-store.ts';
import {
  useEnableWebhook,
  useRemoveWebhook,
  useRotateSecret,
  useTestWebhook,
} from '#web/webhooks/queries.ts';

interface WebhookRowProps {
  webhook: Webhook;
  onMade: (made: MadeWebhook) => void;
  onEdit: (webhook: Webhook) => void;
  onLog: (webhook: Webhook) => void;
}

export const nameOf = ({ url, description }: Webhook): string => description || new URL(url).host;

/** One webhook with its state, and what can be done with it. */
export function WebhookRow({ webhook, onMade, onEdit, onLog }: WebhookRowProps) {
  const { url, description, disabled, events, isOfAdmin, waitingCount, previousSecretUntil } =
    webhook;
  const name = nameOf(webhook);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-48 flex-1 text-sm">
        <h3 className="font-medium wrap-anywhere">{description || url}</h3>
        {description && <p className="wrap-anywhere text-muted-foreground">{url}</p>}
        <p className="mt-1 text-muted-foreground">
          {t('webhooks.events', { count: events.length })}
          {waitingCount > 0 && ` · ${t('webhooks.waiting', { count: waitingCount })}`}
        </p>
        {!isOfAdmin && <p role="note">{t('webhooks.formerAdmin')}</p>}
        {disabled && (
          <p className="text-muted-foreground">
            {t(`webhooks.reason.${disabled.reason}`, { time: formatDateTime(disabled.at) })}
          </p>
        )}
        {previousSecretUntil && (
          <p className="text-muted-foreground">
            {t('webhooks.overlap', { time: formatDateTime(previousSecretUntil) })}
          </p>
        )}
      </div>
      <Badge look={disabled ? 'outline' : 'success'}>
        {disabled ? t('webhooks.disabled') : t('webhooks.active')}
      </Badge>
      <div className="flex items-center gap-1">
        <Button
          look="outline"
          size="small"
          aria-label={t('webhooks.logOf', { name })}
          onClick={() => onLog(webhook)}
        >
          {t('webhooks.log')}
        </Button>
        <Actions webhook={webhook} onMade={onMade} onEdit={onEdit} onLog={onLog} />
      </div>
    </li>
  );
}

function Actions({ webhook, onMade, onEdit, onLog }: WebhookRowProps) {
  const [asked, setAsked] = useState<'rotate' | 'disable' | 'remove' | null>(null);
  const enable = useEnableWebhook(webhook);
  const remove = useRemoveWebhook(webhook);
  const rotate = useRotateSecret(webhook);
  const test = useTestWebhook(webhook);
  const name = nameOf(webhook);
  const close = () => setAsked(null);
  const isDisabled = webhook.disabled !== null;
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: () => {
        toast({ title: t('webhooks.tested') });
        onLog(webhook);
      },
    });
  const turnOn = () =>
    enable.mutate(true, { onSuccess: () => toast({ title: t('webhooks.enabled') }) });
  const confirmed = {
    rotate: () => rotate.mutate(undefined, { onSuccess: onMade, onSettled: close }),
    disable: () =>
      enable.mutate(false, {
        onSuccess: () => toast({ title: t('webhooks.wasDisabled') }),
        onSettled: close,
      }),
    remove: () => remove.mutate(undefined, { onSettled: close }),
  };
  return (
    <>
      <Menu
        label={t('webhooks.actionsFor', { name })}
        items={[
          { title: t('webhooks.edit'), icon: Pencil, onSelect: () => onEdit(webhook) },
          {
            title: t('webhooks.test'),
            icon: Send,
            onSelect: sendTest,
            disabled: isDisabled || test.isPending,
          },
          { title: t('webhooks.rotate'), icon: KeyRound, onSelect: () => setAsked('rotate') },
          isDisabled
            ? { title: t('webhooks.enable'), icon: Play, onSelect: turnOn }
            : { title: t('webhooks.disable'), icon: Power, onSelect: () => setAsked('disable') },
          { title: t('webhooks.remove'), icon: Trash2, onSelect: () => setAsked('remove') },
        ]}
      />
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={(open) => open || close()}
          title={t(`webhooks.confirm.${asked}`)}
          text={t(`webhooks.confirm.${asked}Text`, { name })}
          cancelLabel={t('common.cancel')}
          confirmLabel={t(`webhooks.${asked}`)}
          look={asked === 'remove' ? 'destructive' : 'primary'}
          pending={rotate.isPending || enable.isPending || remove.isPending}
          onConfirm={confirmed[asked]}
        />
      )}
    </>
  );
}
