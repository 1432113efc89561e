import { notFound } from '#domain/errors.ts';
import type { RoomId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { rooms } from '#server/rooms/tables.ts';

/**
 * Returns the room's row, locked until this transaction ends.
 * @throws DomainError 404
 */
export async function lockRoom({ db, tenant }: TenantConnection, id: RoomId) {
  const [room] = await db
    .select()
    .from(rooms)
    .where(and(eq(rooms.orgId, tenant.orgId), eq(rooms.id, id)))
    .for('no key update');
  if (!room) throw notFound();
  return room;
}
