import { setTimeout as sleep } from 'node:timers/promises';
import type { ToServer } from '#domain/calls/live.ts';
import type { Config } from '#server/config.ts';
import { Allowance } from '#server/platform/allowance.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';

/**
 * Messages that read much data, or cause queries for other pages. A page sends them when it
 * resumes, a host by hand.
 */
const costly = new Set<ToServer['type']>([
  'chat-since',
  'notes-since',
  'admit',
  'refuse',
  'tell-waiting',
  'mute',
  'lock',
  'remove',
]);
const messages = { burst: 40, perSecond: 2 };
/** Each hello runs a query, and its page receives all state that it is missing. */
const hellos = { burst: 60, perSecond: 3 };

/**
 * Counts costly work over all sockets of an account, or of a room's guests. Work beyond the budget
 * is not refused but waits, and delays later messages of the same socket. Scaled like the rate
 * limits.
 */
export class WorkBudget {
  readonly #messages: Allowance;
  readonly #hellos: Allowance;

  constructor({ RATE_LIMIT_SCALE: scale }: Pick<Config, 'RATE_LIMIT_SCALE'>) {
    this.#messages = new Allowance(messages, scale);
    this.#hellos = new Allowance(hellos, scale);
  }

  async message(claims: MeetingClaims, type: ToServer['type']): Promise<void> {
    if (costly.has(type)) await wait(this.#messages.spend(keyOf(claims), 1));
  }

  /** Guests are bounded by their link and address (new-sockets.ts). */
  async hello(claims: MeetingClaims): Promise<void> {
    if (claims.kind === 'staff') await wait(this.#hellos.spend(keyOf(claims), 1));
  }
}

const wait = async (ms: number) => {
  if (ms > 0) await sleep(ms, undefined, { ref: false });
};

const keyOf = (claims: MeetingClaims): string =>
  claims.kind === 'staff' ? claims.accountId : claims.roomId;
