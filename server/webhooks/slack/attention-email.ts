import type { Language } from '#domain/languages.ts';
import type { SlackRefusal } from '#domain/slack/contract.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

type Reason = SlackRefusal | 'failing';

const texts = {
  en: {
    subject: 'Slack needs attention',
    heading: 'Messages no longer reach your Slack channel',
    reasons: {
      no_service: 'Slack no longer accepts the address that you pasted: it was removed there.',
      channel_not_found: 'The channel was deleted in Slack.',
      channel_is_archived: 'The channel was archived in Slack.',
      action_prohibited: 'An admin of your Slack workspace has forbidden these messages.',
      failing: 'Slack accepted no message for 24 hours.',
    },
    next: 'Paste a new address in Settings, Notifications, or turn the channel on again there.',
    button: 'Open notifications',
    footer: 'You’re receiving this email because you’re an admin.',
  },
  de: {
    subject: 'Slack braucht Ihre Aufmerksamkeit',
    heading: 'Nachrichten erreichen Ihren Slack-Channel nicht mehr',
    reasons: {
      no_service: 'Slack nimmt die eingefügte Adresse nicht mehr an: Sie wurde dort entfernt.',
      channel_not_found: 'Der Channel wurde in Slack gelöscht.',
      channel_is_archived: 'Der Channel wurde in Slack archiviert.',
      action_prohibited: 'Ein Admin Ihres Slack-Workspace hat diese Nachrichten untersagt.',
      failing: 'Slack hat 24 Stunden lang keine Nachricht angenommen.',
    },
    next: 'Fügen Sie unter „Einstellungen“, „Benachrichtigungen“ eine neue Adresse ein oder schalten Sie den Channel dort wieder ein.',
    button: 'Benachrichtigungen öffnen',
    footer: 'Sie erhalten diese E-Mail, weil Sie Admin sind.',
  },
} as const;

/** Returns the email to an admin about a Slack channel that takes no more messages. */
export function attentionEmail(
  language: Language,
  reason: Reason,
  home: string,
): Omit<EmailContent, 'brand'> {
  const { subject, heading, reasons, next, button, footer } = texts[language];
  return {
    ...{ language, subject, heading, footer },
    text: `${reasons[reason]}\n\n${next}`,
    button: { label: button, url: `${home}/app/settings/notifications` },
  };
}
