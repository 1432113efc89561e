import { notFound } from '#domain/errors.ts';
import { type GuestLinkId, guestLinkId, type RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import { isForeignKeyViolation, isUniqueViolation } from '#server/platform/database-errors.ts';
import { and, eq, isNull } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { roomArchived, roomIsSample } from './refused-rooms.ts';
import { guestLinks, rooms } from './tables.ts';

export interface GuestLinkRecord {
  id: GuestLinkId;
  createdAt: Date;
}

/**
 * Returns the room's valid link, which the first request creates.
 * @throws DomainError 404, 409 when it is archived or a sample
 */
export async function currentGuestLink(tenant: Tenant, room: RoomId): Promise<GuestLinkRecord> {
  await refuseUnshared(tenant, room);
  const found = await tenant.connection((at) => validLink(at, room));
  if (found) return found;
  try {
    return await tenant.transaction((tx) => addLink(tx, room, 'GUEST_LINK_CREATED'));
  } catch (error) {
    // A concurrent request created the link. Return that one.
    if (!isUniqueViolation(error, 'guest_links_one_valid')) throw error;
    return currentGuestLink(tenant, room);
  }
}

/**
 * Creates a new link, and revokes the old one in the same transaction.
 * @throws as `currentGuestLink`
 */
export async function renewGuestLink(tenant: Tenant, room: RoomId): Promise<GuestLinkRecord> {
  await refuseUnshared(tenant, room);
  try {
    return await replaceLink(tenant, room);
  } catch (error) {
    // A concurrent request renewed the link. Renew it again.
    if (!isUniqueViolation(error, 'guest_links_one_valid')) throw error;
    return renewGuestLink(tenant, room);
  }
}

/** Named links are separate (server/links). */
const isMain = isNull(guestLinks.name);

/** @throws DomainError 409 */
export async function refuseUnshared(tenant: Tenant, room: RoomId): Promise<void> {
  const [found] = await tenant.connection(({ db }) =>
    db
      .select({ archivedAt: rooms.archivedAt, sampleSetId: rooms.sampleSetId })
      .from(rooms)
      .where(and(eq(rooms.orgId, tenant.orgId), eq(rooms.id, room))),
  );
  if (found?.archivedAt) throw roomArchived();
  if (found?.sampleSetId) throw roomIsSample();
}

function replaceLink(tenant: Tenant, room: RoomId): Promise<GuestLinkRecord> {
  return tenant.transaction(async (tx) => {
    await tx.db
      .update(guestLinks)
      .set({ revokedAt: new Date(), revokedBy: actingAccount(tenant) })
      .where(
        and(
          eq(guestLinks.orgId, tenant.orgId),
          eq(guestLinks.roomId, room),
          isMain,
          isNull(guestLinks.revokedAt),
        ),
      );
    return addLink(tx, room, 'GUEST_LINK_RENEWED');
  });
}

async function validLink(at: TenantConnection, room: RoomId) {
  const [found] = await at.db
    .select({ id: guestLinks.id, createdAt: guestLinks.createdAt })
    .from(guestLinks)
    .where(
      and(
        eq(guestLinks.orgId, at.tenant.orgId),
        eq(guestLinks.roomId, room),
        isMain,
        isNull(guestLinks.revokedAt),
      ),
    );
  return found;
}

async function addLink(
  tx: TenantConnection,
  room: RoomId,
  action: 'GUEST_LINK_CREATED' | 'GUEST_LINK_RENEWED',
): Promise<GuestLinkRecord> {
  const id = newId(guestLinkId);
  const createdAt = new Date();
  try {
    await tx.db.insert(guestLinks).values({
      id,
      orgId: tx.tenant.orgId,
      roomId: room,
      createdBy: actingAccount(tx.tenant),
      createdAt,
    });
  } catch (error) {
    if (isForeignKeyViolation(error, 'guest_links_room')) throw notFound();
    throw error;
  }
  await recordEvent(tx, { action, entity: 'guest_link', entityId: id, metadata: { roomId: room } });
  return { id, createdAt };
}
