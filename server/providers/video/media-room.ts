import type { MediaRoomId, OrgId, RoomId } from '#domain/ids.ts';

/**
 * A room on a media server: one period of the media of one of our rooms. Each period has its own
 * id, so that a room whose node died, or to which a removed participant still has an access token,
 * is never used again.
 */
export interface MediaRoom {
  orgId: OrgId;
  roomId: RoomId;
  id: MediaRoomId;
}
