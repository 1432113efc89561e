import type { Call } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { slackMessage, slackText } from '#domain/slack/message.ts';
import { findCallWithoutNotes } from '#server/calls/store.ts';
import type { Tenant } from '#server/platform/access.ts';
import { ifFound } from '../if-found.ts';
import type { WebhookEvent } from '../payload.ts';
import { findRating } from '../subjects.ts';

interface Channel {
  language: Language;
  /** Scores up to this one are sent. */
  highestScore: number | null;
}

/** Of those who attended; a call may have hundreds. */
const mostNames = 5;

const texts = {
  en: {
    test: 'Rapport is connected to this channel',
    testDetail: 'Test message',
    ended: (topic: string) => `Call ended: ${topic}`,
    scored: (score: number, topic: string) => `Score ${score} of 10: ${topic}`,
    by: { staff: 'From the team', guest: 'From the customer' },
    minutes: (count: number) => `${count} min`,
    agent: (name: string) => `Agent: ${name}`,
    with: (names: string, more: number) => `With ${names}${more > 0 ? ` and ${more} more` : ''}`,
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
    with: (names: string, more: number) => `Mit ${names}${more > 0 ? ` und ${more} weiteren` : ''}`,
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
  const call = await findCall(tenant, event.callId);
  if (!call) return null;
  const topic = slackText(call.room.topic);
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

type EndedCall = Pick<Call, 'id' | 'room' | 'durationSec' | 'agent' | 'participantsJson'>;

const findCall = (tenant: Tenant, id: CallId | null): Promise<EndedCall | null> =>
  id === null ? Promise.resolve(null) : ifFound(findCallWithoutNotes(tenant, id));

function detailsOf(
  language: Language,
  { durationSec, agent, participantsJson }: EndedCall,
): string[] {
  const say = texts[language];
  const names = participantsJson.slice(0, mostNames).map(({ name }) => slackText(name));
  const more = participantsJson.length - names.length;
  return [
    ...(durationSec === null ? [] : [say.minutes(Math.max(1, Math.round(durationSec / 60)))]),
    ...(agent?.name ? [say.agent(slackText(agent.name))] : []),
    ...(names.length > 0 ? [say.with(names.join(', '), more)] : []),
  ];
}
