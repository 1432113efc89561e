import type { RoomId } from '#domain/ids.ts';
import type { Logger } from '#server/platform/log.ts';
import type { LiveRooms } from './live-rooms.ts';
import { listWaiting } from './lobby.ts';
import type { LobbyTurns } from './lobby-turns.ts';

/** A list of a lobby that is being sent to the hosts. */
interface Sending {
  /** The lobby has changed since the list was read. */
  again: boolean;
  work: Promise<void>;
}

/**
 * Sends hosts the list of the guests who wait in their room's lobby. Lists go out in the order in which they
 * were read, and one list contains all changes before it.
 */
export class LobbyList {
  readonly #rooms: Pick<LiveRooms, 'everybody'>;
  readonly #log: Logger;
  readonly #turns: LobbyTurns;
  readonly #closing = new AbortController();
  readonly #sending = new Map<RoomId, Sending>();

  constructor(rooms: Pick<LiveRooms, 'everybody'>, log: Logger, turns: LobbyTurns) {
    this.#rooms = rooms;
    this.#log = log;
    this.#turns = turns;
  }

  /** Sends the list again, once the one that is being read is sent. */
  send(roomId: RoomId): void {
    const found = this.#sending.get(roomId);
    if (found) {
      found.again = true;
      return;
    }
    const sending: Sending = { again: false, work: Promise.resolve() };
    this.#sending.set(roomId, sending);
    sending.work = this.#sendUntilQuiet(roomId, sending);
  }

  /** Resolves when no list is being sent. Those that wait for their turn are not sent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#sending.values()].map(({ work }) => work));
  }

  async #sendUntilQuiet(roomId: RoomId, sending: Sending): Promise<void> {
    do {
      sending.again = false;
      await this.#sendOnce(roomId, sending).catch((error) =>
        this.#log.error({ err: error }, 'a lobby could not be listed'),
      );
    } while (sending.again && !this.#closing.signal.aborted);
    this.#sending.delete(roomId);
  }

  async #sendOnce(roomId: RoomId, sending: Sending): Promise<void> {
    const hosts = () =>
      this.#rooms
        .everybody()
        .filter(({ admitted }) => admitted.mayEdit && admitted.claims.roomId === roomId);
    const [host, ...others] = hosts();
    if (!host) return;
    const { claims } = host.admitted;
    if (!(await this.#turns.list(claims, 1 + others.length, this.#closing.signal))) return;
    sending.again = false;
    const { guests, hidden } = await listWaiting(host.admitted.tenant, roomId);
    const message = { type: 'lobby' as const, guests, ...(hidden > 0 && { hidden }) };
    for (const { sessions } of hosts()) sessions.get('meeting')?.send(message);
  }
}
