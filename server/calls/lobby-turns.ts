import type { Config } from '#server/config.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';

/** Guests of an organization who are looked up because of a change of a lobby. */
const lookUps = { burst: 100, perSecond: 50 };
/** Pages of an organization's hosts that receive a list of waiting guests. */
const lists = { burst: 2_000, perSecond: 500 };

/** Bounds what changes of an organization's lobbies cause. Its rooms take turns. Scaled like the rate limits. */
export class LobbyTurns {
  readonly #lookUps: PacedTurns;
  readonly #lists: PacedTurns;

  constructor({ RATE_LIMIT_SCALE: scale }: Pick<Config, 'RATE_LIMIT_SCALE'>) {
    this.#lookUps = new PacedTurns(lookUps, scale);
    this.#lists = new PacedTurns(lists, scale);
  }

  /**
   * Waits for the turn of a look-up. Guests whom a change names do not wait for all others of their room.
   * @returns false if `signal` was aborted before
   */
  lookUp({ orgId, roomId }: MeetingClaims, isNamed: boolean, signal: AbortSignal) {
    return this.#lookUps.turn(orgId, `${roomId} ${isNamed}`, signal);
  }

  /** Waits for the turn of a list that goes to so many pages. */
  list({ orgId, roomId }: MeetingClaims, pages: number, signal: AbortSignal) {
    return this.#lists.turn(orgId, roomId, signal, pages);
  }
}
