import { type RoomId, roomId } from '#domain/ids.ts';
import { slugFrom } from '#domain/links/slug.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { accounts } from '#server/auth/tables.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { roomSlugs, rooms } from '#server/rooms/tables.ts';

export interface PersonalRoomRecord {
  roomId: RoomId;
  topic: string;
  slug: string;
}

const own: Statement = {
  name: 'own_personal_room',
  text: `select r.id as room_id, r.topic, s.slug
    from rooms r
    join room_slugs s on s.org_id = r.org_id and s.room_id = r.id and s.replaced_at is null
    where r.org_id = $1 and r.personal_of = $2`,
};

/**
 * Returns the acting member's own room, creating it if necessary. Of two concurrent requests one
 * creates it.
 */
export async function personalRoomOf(tenant: Tenant): Promise<PersonalRoomRecord> {
  const found = await tenant.connection((at) => findPersonalRoom(at));
  if (found) return found;
  for (let tries = 0; ; tries += 1) {
    try {
      return await tenant.transaction((tx) => makePersonalRoom(tx, tries));
    } catch (error) {
      if (isUniqueViolation(error, 'rooms_one_personal')) return personalRoomOf(tenant);
      if (tries > 5 || !isUniqueViolation(error, 'room_slugs_pkey')) throw error;
    }
  }
}

export async function findPersonalRoom(at: TenantConnection): Promise<PersonalRoomRecord | null> {
  const account = actingAccount(at.tenant);
  const [row] = await at.run<{ room_id: RoomId; topic: string; slug: string }>(own, [
    at.tenant.orgId,
    account,
  ]);
  return row ? { roomId: row.room_id, topic: row.topic, slug: row.slug } : null;
}

/** The lobby is on, because anyone may guess a readable URL. */
async function makePersonalRoom(tx: TenantConnection, tries: number): Promise<PersonalRoomRecord> {
  const { orgId } = tx.tenant;
  const account = actingAccount(tx.tenant);
  if (account === null) throw new Error('Only people have a room of their own.');
  const [person] = await tx.db
    .select({ firstName: accounts.firstName, lastName: accounts.lastName, email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, account));
  const name = `${person?.firstName ?? ''} ${person?.lastName ?? ''}`.trim();
  const topic = name || (person?.email ?? '');
  const id = newId(roomId);
  const random = id.slice(-4);
  const wished = slugFrom(name, `room-${id.slice(-8)}`);
  const slug = tries === 0 ? wished : `${wished.slice(0, 35)}-${random}`;
  const now = new Date();
  await tx.db.insert(rooms).values({
    id,
    orgId,
    topic,
    createdBy: account,
    createdAt: now,
    lobbyAt: now,
    lobbyBy: account,
    personalOf: account,
  });
  await tx.db
    .insert(roomSlugs)
    .values({ slug, orgId, roomId: id, createdAt: now, createdBy: account });
  await recordEvent(tx, {
    action: 'ROOM_CREATED',
    entity: 'room',
    entityId: id,
    metadata: { personal: true },
  });
  return { roomId: id, topic, slug };
}

/**
 * Archives the room of a member who leaves the organization. Its URL then reports that the room is
 * gone.
 */
export async function archivePersonalRoom(
  tx: TenantConnection,
  account: NonNullable<ReturnType<typeof actingAccount>>,
): Promise<void> {
  const [room] = await tx.db
    .update(rooms)
    .set({
      personalOf: null,
      wasPersonalOf: account,
      archivedAt: new Date(),
      archivedBy: actingAccount(tx.tenant),
    })
    .where(and(eq(rooms.orgId, tx.tenant.orgId), eq(rooms.personalOf, account)))
    .returning({ id: rooms.id });
  if (room) await recordEvent(tx, { action: 'ROOM_ARCHIVED', entity: 'room', entityId: room.id });
}
