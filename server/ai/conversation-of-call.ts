import { longestConversation } from '#domain/ai/contract.ts';
import { lastCharacters } from '#domain/ai/rules.ts';
import type { CallId } from '#domain/ids.ts';
import { type CallWithoutNotes, readEndOfNotes } from '#server/calls/store.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { Conversation } from '#server/providers/ai/port.ts';
import { areAgreedTo, readLastTurns } from '#server/transcripts/read-turns.ts';

interface About {
  roomTopic?: string | null | undefined;
  playbookTitle?: string | null | undefined;
  timeZone?: string | null | undefined;
  /** Names the lines of the text that stand in them, for answers that cite lines of notes. */
  storedNotes?: string;
}

/**
 * Phrases of whole calls that an organization reads. A thousand take 10 ms of the thread that serves all calls, also
 * where the answer of a model is stored.
 */
const pace = { burst: 20_000, perSecond: 5_000 };
const wholeCalls = new PacedTurns(pace);
/** What a conversation has only of people who agreed to it. */
const agreedTo = 'analysis';
/** Whoever leaves has their turn, and is then noticed. */
const never = new AbortController().signal;

/** Of a whole call: a day of phrases, and about 130,000 words, which is what models are sent. */
const mostOfCall = { most: 10_000, characters: 720_000 };
/** More phrases than an excerpt of 1,500 characters has. */
const mostTurnsOfExcerpt = 200;

/**
 * Returns the input of an analyzer: the text, what was said by people who agreed to an analysis, and the stored data of
 * the call.
 * @param excerptCharacters of the transcript, from its end; all of it by default, for which the organization's turn is
 *   waited for
 */
export async function conversationOfCall(
  tenant: Tenant,
  call: CallWithoutNotes,
  text: string,
  about: About = {},
  excerptCharacters: number | null = null,
): Promise<Conversation> {
  const bounds =
    excerptCharacters === null
      ? mostOfCall
      : { most: mostTurnsOfExcerpt, characters: excerptCharacters };
  const turns = await tenant.connection((at) =>
    readLastTurns(at, call.id, { ...bounds, agreedTo }),
  );
  if (excerptCharacters === null) {
    const reader = actingAccount(tenant) ?? 'system';
    await wholeCalls.turn(tenant.orgId, reader, never, turns.length);
  }
  return {
    orgId: tenant.orgId,
    text,
    storedNotes: about.storedNotes ?? '',
    turns,
    roomTopic: about.roomTopic ?? call.room.topic,
    playbookTitle: about.playbookTitle ?? null,
    openItems: call.checklistItems
      .filter(({ id }) => call.checklistStateJson[id] !== true)
      .map((item) => item.text),
    isOver: call.endedAt !== null,
    calledAt: call.startedAt,
    timeZone: about.timeZone ?? 'UTC',
  };
}

/** Returns whether these lines of a conversation may still be analyzed: none is deleted, and nobody has withdrawn. */
export const mayBeAnalyzed = (at: TenantConnection, lines: readonly string[]): Promise<boolean> =>
  areAgreedTo(at, lines, agreedTo);

/** Returns the end of the call's notes: by default as much as an analyzer reads of a whole call. */
export const readNotes = async (
  tenant: Tenant,
  id: CallId,
  characters: number = longestConversation,
): Promise<string> => lastCharacters(await readEndOfNotes(tenant, id, characters), characters);
