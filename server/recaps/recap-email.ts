import type { Language } from '#domain/languages.ts';
import { cleanLine, cleanName } from '#server/mail/clean-name.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

export interface Recap {
  topic: string;
  startedAt: Date;
  durationSec: number;
  agent: string | null;
  participants: readonly string[];
  score: number | null;
  /** Sentences. */
  summary: readonly string[];
  actionItems: readonly {
    title: string;
    owner: string | null;
    due: string | null;
    dueOn: string | null;
  }[];
  url: string;
  /** The address of the installation. */
  home: string;
}

const mostNames = 10;
const mostSentences = 12;
const mostItems = 20;
const mostCharacters = 300;

const texts = {
  en: {
    unnamed: 'your call',
    guest: 'Guest',
    subject: (topic: string) => `Call recap: ${topic}`,
    heading: (topic: string) => `Recap of ${topic}`,
    facts: (date: string, minutes: number) => `${date} (UTC), ${minutes} min`,
    agent: (name: string) => `Agent: ${name}`,
    participants: (names: string, more: number) =>
      `Participants: ${names}${more > 0 ? ` and ${more} more` : ''}`,
    score: (score: number) => `Team’s rating: ${score} of 10`,
    summary: 'Summary',
    items: 'Action items',
    owner: (name: string) => ` · ${name}`,
    due: (date: string) => ` · due ${date}`,
    more: (count: number) => `${count} more in Rapport`,
    button: 'Open the call',
    footer: (home: string) =>
      `Your admin chose to send recaps of calls. You can turn yours off in your profile: ${home}/app/settings/profile`,
  },
  de: {
    unnamed: 'Ihrem Gespräch',
    guest: 'Gast',
    subject: (topic: string) => `Zusammenfassung zu ${topic}`,
    heading: (topic: string) => `Zusammenfassung zu ${topic}`,
    facts: (date: string, minutes: number) => `${date} (UTC), ${minutes} Min.`,
    agent: (name: string) => `Agent: ${name}`,
    participants: (names: string, more: number) =>
      `Teilnehmende: ${names}${more > 0 ? ` und ${more} weitere` : ''}`,
    score: (score: number) => `Bewertung des Teams: ${score} von 10`,
    summary: 'Zusammenfassung',
    items: 'Aufgaben',
    owner: (name: string) => ` · ${name}`,
    due: (date: string) => ` · fällig ${date}`,
    more: (count: number) => `${count} weitere in Rapport`,
    button: 'Gespräch öffnen',
    footer: (home: string) =>
      `Ihr Admin hat gewählt, dass Zusammenfassungen von Gesprächen versendet werden. Ihre können Sie in Ihrem Profil ausschalten: ${home}/app/settings/profile`,
  },
} as const;

const short = (text: string): string => {
  const characters = [...cleanLine(text)];
  return characters.length > mostCharacters
    ? `${characters.slice(0, mostCharacters - 1).join('')}…`
    : characters.join('');
};

/** Returns the mail about a call that ended. Of what was said it has the summary and the action items only. */
export function recapEmail(language: Language, recap: Recap): Omit<EmailContent, 'brand'> {
  const say = texts[language];
  const topic = cleanName(recap.topic) ?? say.unnamed;
  return {
    language,
    subject: say.subject(topic),
    heading: say.heading(topic),
    text: factsOf(language, recap).join('\n'),
    sections: [
      { title: say.summary, lines: recap.summary.slice(0, mostSentences).map(short) },
      { title: say.items, lines: itemsOf(language, recap.actionItems) },
    ].filter(({ lines }) => lines.length > 0),
    button: { label: say.button, url: recap.url },
    footer: say.footer(recap.home),
  };
}

function factsOf(language: Language, recap: Recap): string[] {
  const say = texts[language];
  const date = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(recap.startedAt);
  const names = recap.participants.slice(0, mostNames).map((name) => cleanName(name) ?? say.guest);
  return [
    say.facts(date, Math.max(1, Math.round(recap.durationSec / 60))),
    ...(recap.agent ? [say.agent(cleanName(recap.agent) ?? say.guest)] : []),
    ...(names.length > 0
      ? [say.participants(names.join(', '), recap.participants.length - names.length)]
      : []),
    ...(recap.score === null ? [] : [say.score(recap.score)]),
  ];
}

function itemsOf(language: Language, items: Recap['actionItems']): string[] {
  const say = texts[language];
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const lines = items.slice(0, mostItems).map(({ title, owner, due, dueOn }) => {
    const date = dueOn ? day.format(new Date(dueOn)) : due && short(due);
    return `${short(title)}${owner ? say.owner(short(owner)) : ''}${date ? say.due(date) : ''}`;
  });
  const more = items.length - lines.length;
  return more > 0 ? [...lines, say.more(more)] : lines;
}
