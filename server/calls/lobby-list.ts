import type { RoomId } from '#domain/ids.ts';
import type { Logger } from '#server/platform/log.ts';
import type { LiveRooms } from './live-rooms.ts';
import { listWaiting } from './lobby.ts';

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
  readonly #sending = new Map<RoomId, Sending>();

  constructor(rooms: Pick<LiveRooms, 'everybody'>, log: Logger) {
    this.#rooms = rooms;
    this.#log = log;
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

  /** Resolves when all lists that were asked for are sent. */
  async settled(): Promise<void> {
    await Promise.all([...this.#sending.values()].map(({ work }) => work));
  }

  async #sendUntilQuiet(roomId: RoomId, sending: Sending): Promise<void> {
    do {
      sending.again = false;
      await this.#sendOnce(roomId).catch((error) =>
        this.#log.error({ err: error }, 'a lobby could not be listed'),
      );
    } while (sending.again);
    this.#sending.delete(roomId);
  }

  async #sendOnce(roomId: RoomId): Promise<void> {
    const hosts = () =>
      this.#rooms
        .everybody()
        .filter(({ admitted }) => admitted.mayEdit && admitted.claims.roomId === roomId);
    const [host] = hosts();
    if (!host) return;
    const { guests, hidden } = await listWaiting(host.admitted.tenant, roomId);
    const message = { type: 'lobby' as const, guests, ...(hidden > 0 && { hidden }) };
    for (const { sessions } of hosts()) sessions.get('meeting')?.send(message);
  }
}
