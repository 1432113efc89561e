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
      `They have been in the lobby of “${topic}” for a minute, and nobody has let them in yet. Open the call to do so.`,
    button: 'Open the call',
    footer:
      'You get this mail because you made the room. Its lobby can be switched off on the Rooms page.',
  },
  de: {
    subject: (topic: string | null) =>
      topic === null ? 'Ein Gast wartet in Ihrem Raum' : `Ein Gast wartet in ${topic}`,
    guest: 'Ein Gast',
    heading: (guest: string) => `${guest} wartet auf Einlass`,
    text: (topic: string) =>
      `Seit einer Minute wartet dieser Gast in der Lobby von „${topic}“, und noch hat ihn niemand eingelassen. Öffnen Sie das Gespräch, um das zu tun.`,
    button: 'Gespräch öffnen',
    footer:
      'Sie erhalten diese Mail, weil Sie den Raum angelegt haben. Seine Lobby lässt sich auf der Seite Räume abschalten.',
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
