import type { Language } from '#domain/languages.ts';
import { slackMessage, slackText } from '#domain/slack/message.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { WebhookEvent } from '../payload.ts';
import { findRating } from '../subjects.ts';
import { type CallOfMessage, findCallOfMessage } from './call-of-message.ts';

interface Channel {
  language: Language;
  /** Scores up to this one are sent. */
  highestScore: number | null;
}

const texts = {
  en: {
    test: 'Rapport is connected to this channel',
    testDetail: 'Test message',
    ended: (topic: string) => `Call ended: ${topic}`,
    scored: (score: number, topic: string) => `Score ${score} of 10: ${topic}`,
    by: { staff: 'From the team', guest: 'From the customer' },
    minutes: (count: number) => `${count} min`,
    agent: (name: string) => `Agent: ${name}`,
    with: (names: string, more: string | null) => `With ${names}${more ? ` and ${more} more` : ''}`,
    open: 'Open the call',
  },
  de: {
    test: 'Rapport ist mit diesem Channel verbunden',
    testDetail: 'Testnachricht',
    ended: (topic: string) => `Gespräch beendet: ${topic}`,
    scored: (score: number, topic: string) => `Bewertung ${score} von 10: ${topic}`,
    by: { staff: 'Vom Team', guest: 'Vom Kunden' },
    minutes: (count: number) => `${count} Min.`,
    agent: (name: string) => `Agent: ${name}`,
    with: (names: string, more: string | null) =>
      `Mit ${names}${more ? ` und ${more} weiteren` : ''}`,
    open: 'Gespräch öffnen',
  },
} as const;

/**
 * Returns the message about an event, from what is stored now; null if its subject was deleted, or its score is not
 * low any more.
 * @param home the address of the installation
 */
export async function slackMessageOf(
  tenant: Tenant,
  event: WebhookEvent,
  { language, highestScore }: Channel,
  home: string,
): Promise<string | null> {
  const say = texts[language];
  if (event.type === 'webhook.test')
    return JSON.stringify(
      slackMessage({ title: say.test, details: [say.testDetail], quote: null, link: null }),
    );
  const call = event.callId && (await findCallOfMessage(tenant, event.callId));
  if (!call) return null;
  const topic = slackText(call.topic);
  const link = { url: `${home}/app/calls/${call.id}`, label: say.open };
  if (event.type === 'call.ended')
    return JSON.stringify(
      slackMessage({
        title: say.ended(topic),
        details: detailsOf(language, call),
        quote: null,
        link,
      }),
    );
  const rating = event.type === 'call.scored' ? await findRating(tenant, event.subjectId) : null;
  if (!rating || highestScore === null || rating.score > highestScore) return null;
  const details = [say.by[rating.kind], ...detailsOf(language, call)];
  const title = say.scored(rating.score, topic);
  return JSON.stringify(slackMessage({ title, details, quote: rating.feedback, link }));
}

function detailsOf(
  language: Language,
  { durationSec, agent, names: given, more, isCut }: CallOfMessage,
): string[] {
  const say = texts[language];
  const names = given.map((name) => slackText(name));
  const others = more > 0 ? `${more}${isCut ? '+' : ''}` : null;
  return [
    ...(durationSec === null ? [] : [say.minutes(Math.max(1, Math.round(durationSec / 60)))]),
    ...(agent?.name ? [say.agent(slackText(agent.name))] : []),
    ...(names.length > 0 ? [say.with(names.join(', '), others)] : []),
  ];
}
