import type { MediaRoomId, RoomId } from '#domain/ids.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { MediaRoom } from '#server/providers/video/media-room.ts';

/** Why a media server carries the media from now on. */
export type MediaReason = 'engine' | 'mesh_full' | 'node_lost' | 'removal';

const open: Statement = {
  name: 'open_media_room',
  text: `insert into media_rooms (id, org_id, room_id, reason)
    select $2, r.org_id, r.id, $4 from rooms r where r.org_id = $1 and r.id = $3
    on conflict (room_id) where closed_at is null do nothing
    returning id`,
};
const find: Statement = {
  name: 'open_media_room_of',
  text: 'select id from media_rooms where org_id = $1 and room_id = $2 and closed_at is null',
};
const close: Statement = {
  name: 'close_media_room',
  text: `update media_rooms set closed_at = now()
    where org_id = $1 and id = $2 and closed_at is null returning id`,
};
const closeAll: Statement = {
  name: 'close_media_rooms_of',
  text: `update media_rooms set closed_at = now()
    where org_id = $1 and room_id = $2 and closed_at is null`,
};

/** Opens a media room. Of several concurrent calls, one opens it, and all get the same. */
export async function openMediaRoom(
  tenant: Tenant,
  id: MediaRoomId,
  room: RoomId,
  reason: MediaReason,
): Promise<{ room: MediaRoom; isNew: boolean } | null> {
  const { orgId } = tenant;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const known = await findMediaRoom(tenant, room);
    if (known) return { room: known, isNew: false };
    const made = await tenant.connection(({ run }) => run(open, [orgId, id, room, reason]));
    if (made.length > 0) return { room: { orgId, roomId: room, id }, isNew: true };
  }
  return null;
}

export async function findMediaRoom(tenant: Tenant, room: RoomId): Promise<MediaRoom | null> {
  const { orgId } = tenant;
  const [found] = await tenant.connection(({ run }) =>
    run<{ id: MediaRoomId }>(find, [orgId, room]),
  );
  return found ? { orgId, roomId: room, id: found.id } : null;
}

/**
 * Replaces one media room by another.
 * @returns whether this call did it
 */
export function replaceMediaRoom(
  tenant: Tenant,
  before: MediaRoom,
  next: MediaRoom,
  reason: MediaReason,
): Promise<boolean> {
  return tenant.transaction(async ({ run }) => {
    if ((await run(close, [tenant.orgId, before.id])).length === 0) return false;
    await run(open, [tenant.orgId, next.id, before.roomId, reason]);
    return true;
  });
}

/** @returns whether it was open */
export const closeMediaRoom = async (tenant: Tenant, id: MediaRoomId): Promise<boolean> =>
  (await tenant.connection(({ run }) => run(close, [tenant.orgId, id]))).length > 0;

/**
 * Closes the media rooms of an ended call. The next call starts as a mesh again, where the engine
 * allows it.
 */
export async function closeMediaRooms(tx: TenantConnection, room: RoomId): Promise<void> {
  await tx.run(closeAll, [tx.tenant.orgId, room]);
}
