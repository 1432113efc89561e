import type { Language } from '#domain/languages.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: (topic: string | null) =>
      topic === null ? 'A guest is waiting in your room' : `A guest is waiting in ${topic}`,
    guest: 'A guest',
    heading: (guest: string) => `${guest} is waiting to join`,
    text: (topic: string) =>
      `They’ve been in the lobby of “${topic}” for a minute, and no one has let them in yet. Open the call to admit them.`,
    button: 'Open the call',
    footer:
      'You’re receiving this email because you created the room. You can turn its lobby off on the Rooms page.',
  },
  de: {
    subject: (topic: string | null) =>
      topic === null ? 'Ein Gast wartet in Ihrem Raum' : `Ein Gast wartet in ${topic}`,
    guest: 'Ein Gast',
    heading: (guest: string) => `${guest} möchte beitreten`,
    text: (topic: string) =>
      `Dieser Gast wartet seit einer Minute in der Lobby von „${topic}“, und noch hat ihn niemand hereingelassen. Öffnen Sie das Gespräch, um ihn hereinzulassen.`,
    button: 'Gespräch öffnen',
    footer:
      'Sie erhalten diese E-Mail, weil Sie den Raum erstellt haben. Die Lobby können Sie auf der Seite „Räume“ ausschalten.',
  },
} as const;

/**
 * Returns the mail about a guest who has not been admitted, in the language of the room's creator.
 * A guest may choose any name, so the subject omits it, and the heading shows it cleaned.
 */
export function lobbyEmail(
  language: Language,
  guest: string,
  topic: string,
  url: string,
): Omit<EmailContent, 'brand'> {
  const { subject, heading, text, button, footer, guest: anyGuest } = texts[language];
  return {
    language,
    subject: subject(cleanName(topic)),
    heading: heading(cleanName(guest) ?? anyGuest),
    text: text(topic),
    button: { label: button, url },
    footer,
  };
}
