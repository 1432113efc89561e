import type { Config } from '#server/config.ts';
import { onceForEach } from './once-for-each.ts';
import { PacedTurns } from './paced-turns.ts';

/**
 * What one piece of work takes of the server's thread and of the database, in milliseconds, and each kilobyte of it,
 * about as measured on two cores. Each kind has a bound of its own beside.
 */
const costs = {
  /** A request of an account or a token. What takes a connection for long is charged as several. */
  request: { ms: 2.5, msOfKilobyte: 0 },
  /** A message of a socket of `/ws`, before what it leads to. */
  message: { ms: 0.045, msOfKilobyte: 0 },
  /** A part of a recording. */
  part: { ms: 0.75, msOfKilobyte: 0.003 },
  /** A phrase that a browser has recognized: it is stored with its words. */
  phrase: { ms: 1.5, msOfKilobyte: 2.3 },
  /** A segment of a recording that begins or is completed. */
  segment: { ms: 4, msOfKilobyte: 0 },
  /** A file of a recording that is opened: its reader is checked. */
  media: { ms: 2.5, msOfKilobyte: 0 },
} as const;
export type WorkKind = keyof typeof costs;

/**
 * Who pays. Guests, and the parts of recordings, which guests send, too, cannot use up the time of the staff's own
 * requests. Three hundred people who are recorded send 150 parts a second, which take most of the second amount.
 */
const bounds = {
  staff: { burst: 250, perSecond: 250 },
  others: { burst: 250, perSecond: 130 },
} as const;
export type Payer = keyof typeof bounds;

/**
 * How much of what sockets of the staff send begins while something waits for the time of their organization: half, so
 * that requests, for which people wait, have the other half.
 */
const live = { burst: 30, perSecond: 125 };
const liveKinds: ReadonlySet<WorkKind> = new Set(['message', 'phrase']);

/** Who pays for what a participant of a call does. */
export const payerOf = ({ kind }: { kind: 'staff' | 'guest' }): Payer =>
  kind === 'staff' ? 'staff' : 'others';

/**
 * The time that each organization has for all kinds of work together. Each kind alone has a bound that leaves the server
 * time for others, but all of them at once would not. What is beyond it waits, in turns of whoever does it and of the
 * kinds, so that no flood holds up what others do.
 */
export class OrganizationTime {
  readonly #turns: Record<Payer, PacedTurns>;
  readonly #live: PacedTurns;

  /** @param scale multiplies the time, like the rate limits */
  constructor(scale: number) {
    this.#turns = {
      staff: new PacedTurns(bounds.staff, scale),
      others: new PacedTurns(bounds.others, scale),
    };
    this.#live = new PacedTurns(live, scale);
  }

  /** Counts work that may begin now. @returns false if it would have to wait; nothing is counted then */
  starts(orgId: string, payer: Payer, kind: WorkKind): boolean {
    return this.#turns[payer].starts(orgId, costs[kind].ms);
  }

  /**
   * @param who does it: an account, a token, a participant, or a guest's address
   * @returns true once the work may begin; false if `signal` was aborted before a turn that had to be waited for
   */
  async turn(
    orgId: string,
    payer: Payer,
    kind: WorkKind,
    who: string,
    signal: AbortSignal,
    bytes = 0,
  ): Promise<boolean> {
    const { ms, msOfKilobyte } = costs[kind];
    const cost = ms + (bytes / 1024) * msOfKilobyte;
    const member = `${kind} ${who}`;
    const turns = this.#turns[payer];
    if (isLive(payer, kind)) {
      if (turns.starts(orgId, cost)) return true;
      if (!(await this.#live.turn(orgId, member, signal, cost))) return false;
    }
    return turns.turn(orgId, member, signal, cost);
  }

  /** @returns how many pieces of this kind wait */
  waiting(orgId: string, payer: Payer, kind: WorkKind, who: string): number {
    const member = `${kind} ${who}`;
    const forLive = isLive(payer, kind) ? this.#live.waiting(orgId, member) : 0;
    return forLive + this.#turns[payer].waiting(orgId, member);
  }
}

const isLive = (payer: Payer, kind: WorkKind) => payer === 'staff' && liveKinds.has(kind);

/** Returns what counts for everything that this server process does. */
export const organizationTime = onceForEach(
  ({ RATE_LIMIT_SCALE }: Pick<Config, 'RATE_LIMIT_SCALE'>) =>
    new OrganizationTime(RATE_LIMIT_SCALE),
);
