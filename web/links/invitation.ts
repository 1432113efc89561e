import '#web/platform/links-texts.ts';
import type { GuestAccess } from '#domain/links/contract.ts';
import { hoursText } from '#web/links/hours-text.ts';
import { t } from '#web/platform/texts.ts';

interface Invitation {
  topic: string;
  url: string;
  openingHours: GuestAccess['openingHours'];
}

/** Returns a text that is ready to send: the topic, the link, and the opening hours. */
export function invitationText({ topic, url, openingHours }: Invitation): string {
  const lines = [t('links.invitation.topic', { topic }), t('links.invitation.link', { url })];
  if (openingHours) {
    const { timeZone } = openingHours;
    lines.push(t('links.invitation.hours', { hours: hoursText(openingHours), zone: timeZone }));
  }
  lines.push(t('links.invitation.how'));
  return `${lines.join('\n\n')}\n`;
}
