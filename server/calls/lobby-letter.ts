import type { Language } from '#domain/languages.ts';
import type { Letter } from '#server/mail/letter.ts';

const texts = {
  en: {
    subject: (guest: string, topic: string) => `${guest} is waiting in ${topic}`,
    heading: (guest: string) => `${guest} is waiting to join`,
    text: (topic: string) =>
      `They have been in the lobby of “${topic}” for a minute, and nobody has let them in yet. Open the call to do so.`,
    button: 'Open the call',
    footer:
      'You get this mail because you made the room. Its lobby can be switched off on the Rooms page.',
  },
  de: {
    subject: (guest: string, topic: string) => `${guest} wartet in ${topic}`,
    heading: (guest: string) => `${guest} wartet auf Einlass`,
    text: (topic: string) =>
      `Seit einer Minute wartet dieser Gast in der Lobby von „${topic}“, und noch hat ihn niemand eingelassen. Öffnen Sie das Gespräch, um das zu tun.`,
    button: 'Gespräch öffnen',
    footer:
      'Sie erhalten diese Mail, weil Sie den Raum angelegt haben. Seine Lobby lässt sich auf der Seite Räume abschalten.',
  },
} as const;

/** The mail about a guest whom nobody lets in, in the language of the room's creator. */
export function lobbyLetter(
  language: Language,
  guest: string,
  topic: string,
  url: string,
): Omit<Letter, 'brand'> {
  const { subject, heading, text, button, footer } = texts[language];
  return {
    language,
    subject: subject(guest, topic),
    heading: heading(guest),
    text: text(topic),
    button: { label: button, url },
    footer,
  };
}
