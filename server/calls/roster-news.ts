import { randomUUID } from 'node:crypto';
import type { RoomId } from '#domain/ids.ts';
import type { Config } from '#server/config.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { entrantOf, type Person } from './live-person.ts';
import { type Addressed, type Outgoing, tellRoom } from './room-events.ts';

export type RosterMessage = Extract<
  Outgoing,
  { type: 'joined' | 'changed' | 'restarted' | 'left' }
>;

/** Returns how many pages of a room an event is delivered to. */
export type CountReceivers = (roomId: RoomId, event: Addressed) => number;

/** Pages of an organization that are told of people who enter, drop, and leave. A call needs few. */
const ofOrganization = { burst: 20_000, perSecond: 4_000 };
/** News of an organization that wait. Beyond it, those who came and left in the meantime are not told of. */
const mostWaiting = 1_000;

/** What is still to be told of one participant: their present state, or that they have left. */
interface News {
  messages: RosterMessage[];
  /** Nobody has been told of this participant. */
  isUntold: boolean;
  /** Participants who were told out of turn. */
  introducedTo: string[];
  stop: AbortController;
}

/** Whom changes of a participant are for. */
export const toOthers = ({ participant }: Pick<Person, 'participant'>) => ({
  except: participant.id,
});

/**
 * Tells rooms of the changes of their rosters. Each costs its organization as many pages as receive it.
 * Beyond the bound, changes wait: those of one participant are told as one, and accounts and addresses take
 * turns. Scaled like the rate limits.
 */
export class RosterNews {
  /** Names this process, to the others of a room. */
  readonly processId = randomUUID();
  readonly #bus: LiveBus;
  readonly #receivers: CountReceivers;
  readonly #turns: PacedTurns;
  /** By organization, and by participant. */
  readonly #waiting = new Map<string, Map<string, News>>();

  constructor(
    { bus, config }: { bus: LiveBus; config: Pick<Config, 'RATE_LIMIT_SCALE'> },
    receivers: CountReceivers,
  ) {
    this.#bus = bus;
    this.#receivers = receivers;
    this.#turns = new PacedTurns(ofOrganization, config.RATE_LIMIT_SCALE);
  }

  /** @param isPaid its sender has paid for the receivers */
  tell(person: Person, message: RosterMessage, isPaid: boolean): void {
    const { orgId } = person.admitted.claims;
    const waiting = this.#waiting.get(orgId) ?? new Map<string, News>();
    const news = waiting.get(person.participant.id);
    if (news) {
      add(news, message);
      if (!news.isUntold || message.type !== 'left' || waiting.size <= mostWaiting) return;
      news.stop.abort();
      waiting.delete(person.participant.id);
    } else if (isPaid || this.#turns.starts(orgId, this.#cost(person, message))) {
      this.#publish(person, message, []);
    } else {
      this.#waiting.set(orgId, waiting);
      void this.#tellInTurn(person, message, waiting);
    }
  }

  /** Tells one participant now what waits, because a message of this person to them follows. */
  introduce(person: Person, to: string): void {
    const { orgId, roomId } = person.admitted.claims;
    const news = this.#waiting.get(orgId)?.get(person.participant.id);
    if (!news || news.introducedTo.includes(to)) return;
    news.introducedTo.push(to);
    for (const message of news.messages) tellRoom(this.#bus, roomId, { to, message });
  }

  close(): void {
    for (const waiting of this.#waiting.values()) {
      for (const { stop } of waiting.values()) stop.abort();
    }
  }

  async #tellInTurn(
    person: Person,
    first: RosterMessage,
    waiting: Map<string, News>,
  ): Promise<void> {
    const { orgId } = person.admitted.claims;
    const news: News = {
      messages: [first],
      isUntold: first.type === 'joined',
      introducedTo: [],
      stop: new AbortController(),
    };
    waiting.set(person.participant.id, news);
    for (let next: RosterMessage | undefined = first; next; [next] = news.messages) {
      const cost = this.#cost(person, next);
      if (!(await this.#turns.turn(orgId, entrantOf(person), news.stop.signal, cost))) break;
      const message = news.messages.shift();
      if (message) this.#publish(person, message, news.introducedTo);
      news.isUntold = false;
    }
    if (waiting.get(person.participant.id) === news) waiting.delete(person.participant.id);
    if (waiting.size === 0) this.#waiting.delete(orgId);
  }

  #cost(person: Person, message: RosterMessage): number {
    const event = { ...toOthers(person), message };
    return Math.max(1, this.#receivers(person.admitted.claims.roomId, event));
  }

  #publish(person: Person, message: RosterMessage, introducedTo: string[]): void {
    const { roomId } = person.admitted.claims;
    const except =
      message.type === 'left' ? introducedTo : [person.participant.id, ...introducedTo];
    tellRoom(this.#bus, roomId, { except, message, processId: this.processId });
  }
}

/** Adds what has happened since, so that the messages lead to the same state as all of them would. */
function add(news: News, message: RosterMessage): void {
  news.messages = message.type === 'left' ? [message] : merged(news, message);
  news.introducedTo = [];
}

function merged({ messages, isUntold }: News, message: RosterMessage): RosterMessage[] {
  const all = [...messages, message];
  const has = (wanted: RosterMessage['type']) => all.some(({ type }) => type === wanted);
  const state = all.findLast((one) => 'participant' in one);
  const restarted = all.findLast(({ type }) => type === 'restarted');
  const merge: RosterMessage[] = [];
  if (state && 'participant' in state) {
    merge.push({ ...state, type: has('joined') ? 'joined' : 'changed' });
    // Whom the others knew has left and returned, with a new session.
    if (!restarted && has('left') && !isUntold) {
      merge.push({ type: 'restarted', participantId: state.participant.id });
    }
  }
  return restarted ? [...merge, restarted] : merge;
}
