import * as z from 'zod/mini';
import { openStorage } from '#web/storage/open-storage.ts';
import { StoredValue } from '#web/storage/stored-value.ts';

const alerts = z.object({ sound: z.boolean(), system: z.boolean() });
export type Alerts = z.infer<typeof alerts>;

const unset: Alerts = { sound: true, system: false };

const stored = new StoredValue(
  openStorage(() => localStorage),
  'waiting-alerts',
  alerts,
);

/** Returns how this browser calls the person's attention to a waiting guest. */
export const readAlerts = (): Alerts => stored.read() ?? unset;

export const saveAlerts = (changed: Partial<Alerts>): void => {
  stored.write({ ...readAlerts(), ...changed });
};

/** Whether this browser lets the page show notifications; `unsupported` also on pages without HTTPS. */
export const systemPermission = (): NotificationPermission | 'unsupported' =>
  'Notification' in globalThis && window.isSecureContext ? Notification.permission : 'unsupported';
