import '#web/platform/webhook-texts.ts';
import { useChangeOwnRecaps, useRecapSettings } from '#web/notifications/queries.ts';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

/** Whether the person gets recaps. The choice is saved immediately. */
export function OwnRecapsCard() {
  const { data } = useRecapSettings();
  const { mutate, isPending } = useChangeOwnRecaps();
  if (!data) return null;
  return (
    <Card>
      <CardHeader title={t('notifications.recaps.ownTitle')} />
      <div className="p-5">
        <SwitchField label={t('notifications.recaps.own')} hint={t('notifications.recaps.ownHint')}>
          {(input) => (
            <input
              {...input}
              checked={!data.isOptedOut}
              disabled={isPending}
              onChange={({ target }) => mutate({ isOptedOut: !target.checked })}
            />
          )}
        </SwitchField>
      </div>
    </Card>
  );
}
