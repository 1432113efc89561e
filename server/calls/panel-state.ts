import type { Config } from '#server/config.ts';
import { AnswerTurns } from '#server/platform/answer-turns.ts';
import type { Services } from '#server/services.ts';
import type { RunningCall } from './admit-participant.ts';
import { readChecklist } from './check-item.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { notesSince } from './notes.ts';
import { orRefuse } from './or-refuse.ts';

/** Bytes of notes that all panels of an organization receive when they connect or ask. */
const bytesOfNotes = { burst: 4 * 1024 * 1024, perSecond: 4 * 1024 * 1024 };

export const newNotesTurns = ({ RATE_LIMIT_SCALE }: Config) =>
  new AnswerTurns(bytesOfNotes, RATE_LIMIT_SCALE);

/** A panel that receives the state of the running call. */
interface Receiver {
  person: Person;
  session: LiveSession;
  call: RunningCall;
}

/** Sends the panel's initial state: the stored ticks and notes. */
export async function greetPanel(
  services: Services,
  turns: AnswerTurns,
  receiver: Receiver,
): Promise<void> {
  const { person, session, call } = receiver;
  const { tenant } = person.admitted;
  if (person.admitted.claims.kind !== 'staff') return;
  let items: Awaited<ReturnType<typeof readChecklist>>;
  let before: number;
  do {
    // A tick published meanwhile may be newer than the result, so read again.
    before = session.sequence;
    items = await readChecklist(tenant, call.id);
  } while (before !== session.sequence);
  session.send({ type: 'checklist', callId: call.id, items });
  const failed = 'The notes could not be read just now.';
  await orRefuse({ session, log: services.log, failed }, () =>
    sendNotes(services, turns, receiver),
  );
}

/**
 * Sends staff the stored notes, or the updates missing from a page with the Yjs state `since`. Waits for the
 * turn of its account, and sends nothing to a page that is gone by then: it is greeted again when it returns.
 * @throws DomainError 429
 */
export async function sendNotes(
  { notes }: Services,
  turns: AnswerTurns,
  { person, session, call }: Receiver,
  since?: Uint8Array,
): Promise<void> {
  const { claims, tenant } = person.admitted;
  // Guests may attend, but only staff receive the notes.
  if (claims.kind !== 'staff') return;
  const charge = await turns.begin(claims.orgId, claims.accountId, call.id, session.socketGone);
  if (!charge) return;
  let bytes = 0;
  try {
    if (session.socketGone.aborted) return;
    const missing = await tenant.transaction((tx) => notesSince(tx, notes, call.id, since), {
      through: notes.gateOf(tenant.orgId),
    });
    const update = Buffer.from(missing.update).toString('base64');
    const vector = Buffer.from(missing.vector).toString('base64');
    bytes = update.length + vector.length;
    session.send({ type: 'note', callId: call.id, update, vector });
  } finally {
    turns.end(charge, bytes);
  }
}
