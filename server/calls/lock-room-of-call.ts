import type { CallId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const roomOfCall: Statement = {
  name: 'lock_room_of_call',
  text: `select r.id from rooms r join calls c on c.org_id = r.org_id and c.room_id = r.id
    where c.org_id = $1 and c.id = $2 for no key update of r`,
};

/** Locks the room of a call, before the call itself: in the order of starting one. */
export async function lockRoomOfCall({ run, tenant }: TenantConnection, id: CallId): Promise<void> {
  await run(roomOfCall, [tenant.orgId, id]);
}
