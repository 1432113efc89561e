import { mediaRoomId, orgId, roomId } from '#domain/ids.ts';
import type { MediaRoom } from './media-room.ts';

export const nameOf = ({ orgId: org, roomId: room, id }: MediaRoom) => `${org}.${room}.${id}`;

/** Returns the media room of a name at LiveKit; null for a room that is not ours. */
export function roomOf(name: string): MediaRoom | null {
  const [org, room, id, ...rest] = name.split('.');
  const parsed = {
    orgId: orgId.safeParse(org),
    roomId: roomId.safeParse(room),
    id: mediaRoomId.safeParse(id),
  };
  if (rest.length > 0 || !parsed.orgId.success || !parsed.roomId.success || !parsed.id.success) {
    return null;
  }
  return { orgId: parsed.orgId.data, roomId: parsed.roomId.data, id: parsed.id.data };
}
