import type { z } from 'zod';
import { notFound } from '#domain/errors.ts';
import type { RoomId } from '#domain/ids.ts';
import type { changeGuestAccessBody, GuestAccess } from '#domain/links/contract.ts';
import { keptOpeningHours, type OpeningHours } from '#domain/rooms/opening-hours.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { changeOrganization, lockOrganization } from '#server/organizations/store.ts';
import { organizations } from '#server/organizations/tables.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { roomOpeningHours, rooms } from '#server/rooms/tables.ts';
import { lockRoom } from './lock-room.ts';

const accessOf: Statement = {
  name: 'guest_access_of_room',
  text: `select h.hours, r.waiting_text, o.waiting_text as org_waiting_text
    from rooms r
    join organizations o on o.id = r.org_id
    left join room_opening_hours h on h.room_id = r.id
    where r.org_id = $1 and r.id = $2`,
};
interface AccessRow {
  hours: OpeningHours | null;
  waiting_text: string | null;
  org_waiting_text: string | null;
}

/** @throws DomainError 404 */
export const readGuestAccess = (tenant: Tenant, room: RoomId): Promise<GuestAccess> =>
  tenant.connection((at) => readAccess(at, room));

/** Like `readGuestAccess`, with the room locked until the transaction ends. @throws DomainError 404 */
export async function holdGuestAccess(tx: TenantConnection, room: RoomId): Promise<GuestAccess> {
  await lockRoom(tx, room);
  return readAccess(tx, room);
}

async function readAccess(at: TenantConnection, room: RoomId): Promise<GuestAccess> {
  const [row] = await at.run<AccessRow>(accessOf, [at.tenant.orgId, room]);
  if (!row) throw notFound();
  return {
    openingHours: row.hours && keptOpeningHours.parse(row.hours),
    waitingText: row.waiting_text,
    organizationWaitingText: row.org_waiting_text,
  };
}

/**
 * Changes the given values that differ.
 * @throws DomainError 404
 */
export function changeGuestAccess(
  tenant: Tenant,
  room: RoomId,
  given: z.output<typeof changeGuestAccessBody>,
): Promise<{ access: GuestAccess; hasChanged: boolean }> {
  return tenant.transaction(async (tx) => {
    await lockRoom(tx, room);
    const before = await readAccess(tx, room);
    const fields = (['openingHours', 'waitingText'] as const).filter(
      (field) =>
        given[field] !== undefined &&
        JSON.stringify(given[field]) !== JSON.stringify(before[field]),
    );
    if (fields.length === 0) return { access: before, hasChanged: false };
    if (given.openingHours !== undefined) await keepHours(tx, room, given.openingHours);
    if (given.waitingText !== undefined) {
      await tx.db
        .update(rooms)
        .set({ waitingText: given.waitingText })
        .where(and(eq(rooms.orgId, tenant.orgId), eq(rooms.id, room)));
    }
    await recordEvent(tx, {
      action: 'ROOM_UPDATED',
      entity: 'room',
      entityId: room,
      metadata: { fields },
    });
    return { access: await readAccess(tx, room), hasChanged: true };
  });
}

async function keepHours(tx: TenantConnection, roomId: RoomId, hours: OpeningHours | null) {
  const { orgId } = tx.tenant;
  if (hours === null) {
    await tx.db
      .delete(roomOpeningHours)
      .where(and(eq(roomOpeningHours.orgId, orgId), eq(roomOpeningHours.roomId, roomId)));
    return;
  }
  const changed = { hours, changedAt: new Date(), changedBy: actingAccount(tx.tenant) };
  await tx.db
    .insert(roomOpeningHours)
    .values({ roomId, orgId, ...changed })
    .onConflictDoUpdate({ target: roomOpeningHours.roomId, set: changed });
}

/** Returns the text for waiting guests in rooms without their own. */
export async function readWaitingText(tenant: Tenant): Promise<string | null> {
  const [found] = await tenant.connection(({ db }) =>
    db.select({ text: organizations.waitingText }).from(organizations),
  );
  return found?.text ?? null;
}

export function changeWaitingText(tenant: Tenant, waitingText: string | null): Promise<void> {
  return tenant.transaction(async (tx) => {
    const before = await lockOrganization(tx);
    if (before.waitingText === waitingText) return;
    await changeOrganization(
      tx,
      { waitingText },
      { action: 'ORGANIZATION_UPDATED', fields: ['waitingText'] },
    );
  });
}
