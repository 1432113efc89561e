import type { RoomId } from '#domain/ids.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { Services } from '#server/services.ts';
import type { RunningCall } from './admit-participant.ts';
import { ChecklistReadings, type Receiver } from './checklist-readings.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { notesSince } from './notes.ts';
import { NotesTurns } from './notes-turns.ts';
import { orRefuse } from './or-refuse.ts';
import type { RoomEvent } from './room-events.ts';

const failed = 'We couldn’t load the notes right now.';

/** Panels of an organization that are greeted because a call starts. Each has the notes read. */
const greetings = { burst: 50, perSecond: 50 };

/**
 * Sends panels the initial state of the running call: its ticks and notes. A call that starts costs its
 * organization the panels that it greets. Beyond the bound they wait, and accounts take turns. Scaled like the
 * rate limits. A page that connects has paid with its hello (work-budget.ts).
 */
export class PanelGreetings {
  readonly notesTurns: NotesTurns;
  readonly #services: Services;
  readonly #callOf: (person: Person) => RunningCall | null;
  readonly #turns: PacedTurns;
  readonly #checklists: ChecklistReadings;
  readonly #waiting = new Set<LiveSession>();

  constructor(services: Services, callOf: (person: Person) => RunningCall | null) {
    const { RATE_LIMIT_SCALE: scale } = services.config;
    this.#services = services;
    this.#callOf = callOf;
    this.notesTurns = new NotesTurns(scale);
    this.#turns = new PacedTurns(greetings, scale);
    this.#checklists = new ChecklistReadings(services);
  }

  /** Notes a tick for panels whose checklist is being read, as `ChecklistReadings.hear`. */
  hear(roomId: RoomId, event: RoomEvent): void {
    this.#checklists.hear(roomId, event);
  }

  /**
   * Greets a panel in turn, because a call has started. Calls that start until then change nothing. A page that
   * is gone by then is sent nothing: it is greeted when it returns.
   */
  async greetInTurn(person: Person): Promise<void> {
    const { claims } = person.admitted;
    const session = person.sessions.get('panel');
    if (claims.kind !== 'staff' || !session?.socket || this.#waiting.has(session)) return;
    this.#waiting.add(session);
    const isTurn = await this.#turns.turn(claims.orgId, claims.accountId, session.socketGone);
    this.#waiting.delete(session);
    if (isTurn) await this.greet(person, session);
  }

  /** Sends a panel the state of the call that runs in its room, if there is one. */
  async greet(person: Person, session: LiveSession): Promise<void> {
    const call = this.#callOf(person);
    if (!call || person.admitted.claims.kind !== 'staff') return;
    const receiver = { person, session, call };
    await this.#checklists.send(receiver);
    await orRefuse({ session, log: this.#services.log, failed }, () =>
      sendNotes(this.#services, this.notesTurns, receiver),
    );
  }
}

/**
 * Sends staff the stored notes, or the updates missing from a page with the Yjs state `since`. Notes that must
 * wait for their turn are sent later, and not to a page that is gone by then: it is greeted again when it returns.
 */
export async function sendNotes(
  { notes, log }: Services,
  turns: NotesTurns,
  { person, session, call }: Receiver,
  since?: Uint8Array,
): Promise<void> {
  const { claims, tenant } = person.admitted;
  const { socketGone } = session;
  // Guests may attend, but only staff receive the notes.
  if (claims.kind !== 'staff' || socketGone.aborted) return;
  const turn = turns.turnOf({ orgId: claims.orgId, accountId: claims.accountId, socketGone });
  const read = () =>
    tenant.transaction(
      (tx) => {
        turn.requirePage();
        return notesSince(tx, notes, call.id, since, (stored) => turn.charge(stored));
      },
      { through: notes.gateOf(tenant.orgId) },
    );
  const send = async () => {
    const missing = await read();
    const update = Buffer.from(missing.update).toString('base64');
    const vector = Buffer.from(missing.vector).toString('base64');
    session.send({ type: 'note', callId: call.id, update, vector });
    return update.length + vector.length;
  };
  if (await turn.sends(send)) return;
  // Not awaited: a page whose message is being handled is not heard, nor noticed when it closes.
  void orRefuse({ session, log, failed }, () => turn.sendInTurn(send));
}
