import { orgId, roomId } from '#domain/ids.ts';
import type { HostedRoom } from '../hosted-room.ts';

/**
 * Returns the name of a room at Daily: organization and room, 73 characters. Daily's page "Create
 * room" allows ASCII letters, digits, dash and underscore, 128 at most.
 */
export const roomNameOf = (room: HostedRoom): string => `${room.orgId}_${room.roomId}`;

/** Returns the room of a name; null for a name of another format. */
export function roomOfName(name: string): HostedRoom | null {
  const [org, room, ...rest] = name.split('_');
  const ids = { orgId: orgId.safeParse(org), roomId: roomId.safeParse(room) };
  if (rest.length > 0 || !ids.orgId.success || !ids.roomId.success) return null;
  return { orgId: ids.orgId.data, roomId: ids.roomId.data };
}
