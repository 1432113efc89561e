import { DomainError, notFound } from '#domain/errors.ts';
import { orgId, type RoomId, roomId } from '#domain/ids.ts';
import { slug as slugText } from '#domain/links/slug.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { roomSlugs, rooms } from '#server/rooms/tables.ts';
import { lockRoom } from './lock-room.ts';
import { findPersonalRoom, type PersonalRoomRecord, personalRoomOf } from './personal-room.ts';

/** How long a replaced slug still leads to its room. */
export const keptSlugDays = 30;

const replace: Statement = {
  name: 'replace_room_slug',
  text: `update room_slugs set replaced_at = now()
    where org_id = $1 and room_id = $2 and replaced_at is null`,
};
const takeBack: Statement = {
  name: 'take_room_slug_back',
  text: `update room_slugs set replaced_at = null
    where org_id = $1 and room_id = $2 and slug = $3 returning slug`,
};
const find: Statement = { name: 'find_room_slug', text: 'select * from find_room_slug($1)' };

/**
 * Gives the member's room another slug, possibly a former one of its own.
 * @throws DomainError 409
 */
export async function renamePersonalRoom(
  tenant: Tenant,
  slug: string,
): Promise<PersonalRoomRecord> {
  const { roomId: id } = await personalRoomOf(tenant);
  try {
    return await tenant.transaction(async (tx) => {
      await lockRoom(tx, id);
      const room = await findPersonalRoom(tx);
      if (!room) throw notFound();
      if (room.slug === slug) return room;
      await tx.run(replace, [tenant.orgId, id]);
      const back = await tx.run(takeBack, [tenant.orgId, id, slug]);
      if (back.length === 0) {
        await tx.db.insert(roomSlugs).values({
          slug,
          orgId: tenant.orgId,
          roomId: id,
          createdAt: new Date(),
          createdBy: actingAccount(tenant),
        });
      }
      await recordEvent(tx, {
        action: 'ROOM_UPDATED',
        entity: 'room',
        entityId: id,
        metadata: { fields: ['slug'] },
      });
      return { ...room, slug };
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'room_slugs_pkey')) throw error;
    const message = 'This address is taken. Please choose another.';
    throw new DomainError('conflict', 'slug_taken', message, {
      errors: [{ path: 'slug', message }],
    });
  }
}

/**
 * Returns the room of a readable URL, for an anonymous guest.
 * @throws DomainError 404 for an unknown one, 410 when its owner has left or changed it
 */
export async function followSlug(
  database: Database,
  asked: string,
  now = new Date(),
): Promise<{ tenant: Tenant; roomId: RoomId }> {
  const slug = slugText.safeParse(asked);
  if (!slug.success) throw notFound();
  const [row] = await database.connection('outside', ({ run }) =>
    run<{ org_id: string; room_id: string; replaced_at: Date | null }>(find, [slug.data]),
  );
  if (!row) throw notFound();
  const actor = { kind: 'system' as const, name: 'guest-link', orgId: orgId.parse(row.org_id) };
  const tenant = tenantOf(database, actor, null);
  const id = roomId.parse(row.room_id);
  const [room] = await tenant.connection(({ db }) =>
    db
      .select({ personalOf: rooms.personalOf })
      .from(rooms)
      .where(and(eq(rooms.orgId, tenant.orgId), eq(rooms.id, id))),
  );
  if (!room?.personalOf) {
    throw new DomainError(
      'gone',
      'personal_room_gone',
      'This person has left the organization. Ask their company for another link.',
    );
  }
  if (row.replaced_at && now.getTime() - row.replaced_at.getTime() > keptSlugDays * 86_400_000) {
    throw new DomainError(
      'gone',
      'personal_room_moved',
      'This room has a new address. Ask your host for it.',
    );
  }
  return { tenant, roomId: id };
}
