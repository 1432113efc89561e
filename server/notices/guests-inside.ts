import type { RoomId } from '#domain/ids.ts';
import { type GuestAtDoor, mostNamedGuests } from '#domain/notices/live.ts';
import type { Presence } from '#server/platform/live-bus.ts';

/** Processes say every ten seconds in which rooms they have guests. */
const keptMs = 30_000;
/** More rooms than guests of one organization enter at the same moment. */
const mostRooms = 50;

/** Guests in a room without anyone of the team. */
export interface Alone {
  guests: GuestAtDoor[];
  count: number;
}

/** The rooms of an organization in which guests may be alone, which only the presence of each room can tell. */
export class GuestsInside {
  readonly #presence: Pick<Presence, 'list'>;
  readonly #heardAt = new Map<RoomId, number>();
  /** When each guest was first found alone. */
  #since = new Map<string, string>();

  constructor(presence: Pick<Presence, 'list'>) {
    this.#presence = presence;
  }

  heardOf(room: RoomId): void {
    if (this.#heardAt.size < mostRooms || this.#heardAt.has(room)) {
      this.#heardAt.set(room, Date.now());
    }
  }

  /** Returns the rooms in which guests are alone. */
  async read(): Promise<Map<RoomId, Alone>> {
    const oldest = Date.now() - keptMs;
    const alone = new Map<RoomId, Alone>();
    const since = new Map<string, string>();
    for (const [room, heardAt] of this.#heardAt) {
      const people = heardAt < oldest ? [] : await this.#presence.list(room);
      const inside = people.filter(({ inMeeting, connected }) => inMeeting && connected);
      if (inside.length === 0) this.#heardAt.delete(room);
      if (inside.length === 0 || inside.some(({ kind }) => kind === 'staff')) continue;
      const guests = inside.map(({ id, name }) => {
        const at = this.#since.get(id) ?? new Date().toISOString();
        since.set(id, at);
        return { id, name, since: at, isInside: true };
      });
      alone.set(room, { guests: guests.slice(0, mostNamedGuests), count: guests.length });
    }
    this.#since = since;
    return alone;
  }
}
