import type { RoomId } from '#domain/ids.ts';
import type { Subscription } from '#server/platform/live-bus.ts';
import type { MediaRoom } from '#server/providers/video/media-server.ts';
import type { Admitted } from './admit-participant.ts';
import type { Person } from './live-person.ts';
import type { Outgoing } from './room-events.ts';
import { findRunningCall } from './start-call.ts';

/** A room that has people on this process, with what was heard of it. */
export interface LocalRoom {
  id: RoomId;
  people: Map<string, Person>;
  /** How many are being looked up, and may come in. */
  expected: number;
  call: Admitted['call'];
  /** Starts, changes, and ends heard since we listen. */
  callEvents: number;
  /** Whether what was before we listened is known, too. */
  callIsKnown: boolean;
  /** The newest that was heard of. */
  mediaRoom: MediaRoom | null;
  subscription: Subscription | null;
}

/** The rooms of this process: each is listened to while it has people, or somebody is expected. */
export class LocalRooms {
  readonly #subscribe: (room: LocalRoom) => Subscription;
  readonly #rooms = new Map<RoomId, LocalRoom>();

  constructor(subscribe: (room: LocalRoom) => Subscription) {
    this.#subscribe = subscribe;
  }

  get(id: RoomId): LocalRoom | undefined {
    return this.#rooms.get(id);
  }

  all(): LocalRoom[] {
    return [...this.#rooms.values()];
  }

  /** The room, listened to from now on, until `release` finds nobody in it. */
  open(id: RoomId): LocalRoom {
    const found = this.#rooms.get(id);
    if (found) return found;
    const room: LocalRoom = {
      id,
      people: new Map(),
      expected: 0,
      call: null,
      callEvents: 0,
      callIsKnown: false,
      mediaRoom: null,
      subscription: null,
    };
    room.subscription = this.#subscribe(room);
    this.#rooms.set(id, room);
    return room;
  }

  release(room: LocalRoom): void {
    if (room.people.size > 0 || room.expected > 0 || this.#rooms.get(room.id) !== room) return;
    room.subscription?.stop();
    this.#rooms.delete(room.id);
  }

  close(): void {
    for (const room of this.all()) room.subscription?.stop();
    this.#rooms.clear();
  }
}

/** Ids sort by time: what was read before a move does not undo it. */
export function learnMediaRoom(room: LocalRoom, mediaRoom: MediaRoom | null): void {
  if (mediaRoom && mediaRoom.id > (room.mediaRoom?.id ?? '')) room.mediaRoom = mediaRoom;
}

/** Takes over what a message says of the room's call. */
export function hearOfCall(room: LocalRoom, message: Outgoing): void {
  if (message.type === 'call-started' || message.type === 'call-changed') {
    room.call = { ...message.call } as Admitted['call'];
    room.callEvents += 1;
  }
  if (message.type === 'call-ended') {
    room.call = null;
    room.mediaRoom = null;
    room.callEvents += 1;
  }
}

/**
 * Learns which call runs: what was heard since we listen, and before that what the database says. The
 * admission was read while we listened: it holds unless something was heard meanwhile.
 * @param heardBefore the room's `callEvents` before the admission was read
 */
export async function knowCall(
  room: LocalRoom,
  { tenant, call }: Admitted,
  heardBefore: number,
): Promise<void> {
  if (room.callIsKnown && room.call?.id === call?.id) return;
  if (room.callEvents === heardBefore) room.call = call;
  else await readCall(room, tenant);
  room.callIsKnown = true;
}

async function readCall(room: LocalRoom, tenant: Admitted['tenant']): Promise<void> {
  for (;;) {
    const heard = room.callEvents;
    const running = await findRunningCall(tenant, room.id);
    if (heard !== room.callEvents) continue;
    room.call = running;
    return;
  }
}
