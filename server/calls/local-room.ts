import type { RoomId } from '#domain/ids.ts';
import type { MediaRoom } from '#server/providers/video/media-server.ts';
import type { Admitted } from './admit-participant.ts';
import type { Person } from './live-person.ts';
import type { Outgoing } from './room-events.ts';
import { findRunningCall } from './start-call.ts';

/** A room that has people on this process, with what was heard of it. */
export interface LocalRoom {
  id: RoomId;
  people: Map<string, Person>;
  call: Admitted['call'];
  /** Starts and ends heard since we listen. */
  callEvents: number;
  /** Whether what was before we listened is known, too. */
  callIsKnown: boolean;
  /** The newest that was heard of. */
  mediaRoom: MediaRoom | null;
  stopListening: () => void;
}

export const newLocalRoom = (id: RoomId): LocalRoom => ({
  id,
  people: new Map(),
  call: null,
  callEvents: 0,
  callIsKnown: false,
  mediaRoom: null,
  stopListening: () => {},
});

/** Ids sort by time: what was read before a move does not undo it. */
export function learnMediaRoom(room: LocalRoom, mediaRoom: MediaRoom | null): void {
  if (mediaRoom && mediaRoom.id > (room.mediaRoom?.id ?? '')) room.mediaRoom = mediaRoom;
}

/** Takes over what a message says of the room's call. */
export function hearOfCall(room: LocalRoom, message: Outgoing): void {
  if (message.type === 'call-started' || message.type === 'call-changed') {
    room.call = { ...message.call } as Admitted['call'];
  }
  if (message.type === 'call-ended') {
    room.call = null;
    room.mediaRoom = null;
  }
  if (message.type === 'call-started' || message.type === 'call-ended') room.callEvents += 1;
}

/**
 * Which call runs: what we have heard since we listen, and before that what the database says. The
 * admission was read a moment ago, and a call may have begun or ended since.
 */
export async function knowCall(room: LocalRoom, { tenant, call }: Admitted): Promise<void> {
  if (room.callIsKnown && room.call?.id === call?.id) return;
  let heard: number;
  do {
    heard = room.callEvents;
    const running = await findRunningCall(tenant, room.id);
    if (heard === room.callEvents) room.call = running;
  } while (heard !== room.callEvents);
  room.callIsKnown = true;
}
