import { useState } from 'react';
import { useMay } from '#web/auth/use-may.ts';
import { readAlerts, saveAlerts, systemPermission } from '#web/notices/alerts.ts';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

/** How this browser calls the person's attention to waiting guests. Each choice is saved immediately. */
export function AlertsCard() {
  const mayAdmit = useMay('calls.update');
  const [alerts, setAlerts] = useState(readAlerts);
  const [permission, setPermission] = useState(systemPermission);
  if (!mayAdmit) return null;
  const save = (changed: Partial<typeof alerts>) => {
    saveAlerts(changed);
    setAlerts(readAlerts());
  };
  // The browser asks only at the person's click.
  const turnSystem = async (on: boolean) => {
    if (on && permission === 'default') setPermission(await Notification.requestPermission());
    save({ system: on && systemPermission() === 'granted' });
  };
  const isPossible = permission === 'default' || permission === 'granted';
  return (
    <Card>
      <CardHeader title={t('notices.alerts.title')} />
      <div className="grid gap-4 p-5">
        <SwitchField label={t('notices.alerts.sound')} hint={t('notices.alerts.soundHint')}>
          {(input) => (
            <input
              {...input}
              checked={alerts.sound}
              onChange={({ target }) => save({ sound: target.checked })}
            />
          )}
        </SwitchField>
        <SwitchField label={t('notices.alerts.system')} hint={hintOf(permission)}>
          {(input) => (
            <input
              {...input}
              checked={alerts.system && permission === 'granted'}
              disabled={!isPossible}
              onChange={({ target }) => void turnSystem(target.checked)}
            />
          )}
        </SwitchField>
      </div>
    </Card>
  );
}

function hintOf(permission: ReturnType<typeof systemPermission>): string {
  if (permission === 'denied') return t('notices.alerts.blocked');
  if (permission === 'unsupported') return t('notices.alerts.unsupported');
  return t('notices.alerts.systemHint');
}
