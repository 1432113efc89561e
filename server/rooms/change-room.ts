import type { z } from 'zod';
import { DomainError, notFound } from '#domain/errors.ts';
import type { RoomId } from '#domain/ids.ts';
import type { Room, updateRoomBody } from '#domain/rooms/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { holdChoosable } from '#server/playbooks/store.ts';
import { lobbyRecord, readRoom } from './store.ts';
import { rooms } from './tables.ts';

const callRunsIn: Statement = {
  name: 'call_runs_in_room',
  text: 'select 1 from calls where org_id = $1 and room_id = $2 and ended_at is null limit 1',
};

const roomFields = ['topic', 'playbookId', 'lobby', 'customerEmail'] as const;
type RoomField = (typeof roomFields)[number];

/**
 * Changes topic, playbook, lobby or the customer's address. Running and past calls keep their checklist, which is a copy.
 * @returns the room, and which of its fields had another value
 * @throws DomainError 404, 409 for a playbook that is archived
 */
export function updateRoom(
  tenant: Tenant,
  id: RoomId,
  given: z.infer<typeof updateRoomBody>,
): Promise<{ room: Room; fields: RoomField[] }> {
  return tenant.transaction(async (tx) => {
    const room = await lockRoom(tx, id);
    const hadLobby = room.lobbyAt !== null;
    const { topic = room.topic, playbookId = room.playbookId, lobby = hadLobby } = given;
    const { customerEmail = room.customerEmail } = given;
    const isNew = {
      topic: topic !== room.topic,
      playbookId: playbookId !== room.playbookId,
      lobby: lobby !== hadLobby,
      customerEmail: customerEmail !== room.customerEmail,
    };
    const fields = roomFields.filter((field) => isNew[field]);
    if (fields.length === 0) return { room: await readRoom(tx, id), fields };
    // The room may keep its current playbook, archived or not.
    if (playbookId && playbookId !== room.playbookId) await holdChoosable(tx, playbookId);
    const record = lobby === hadLobby ? {} : lobbyRecord(tx.tenant, lobby);
    await tx.db
      .update(rooms)
      .set({ topic, playbookId, customerEmail, ...record })
      .where(isRoom(tx, id));
    await recordEvent(tx, {
      action: 'ROOM_UPDATED',
      entity: 'room',
      entityId: id,
      metadata: { fields },
    });
    return { room: await readRoom(tx, id), fields };
  });
}

/**
 * Archives a room. Repeating it changes nothing.
 * @returns the room, and whether this has archived it
 * @throws DomainError 404, 409 while a call runs in the room
 */
export function archiveRoom(
  tenant: Tenant,
  id: RoomId,
): Promise<{ room: Room; hasChanged: boolean }> {
  return tenant.transaction(async (tx) => {
    const room = await lockRoom(tx, id);
    if (room.archivedAt) return { room: await readRoom(tx, id), hasChanged: false };
    if ((await tx.run(callRunsIn, [tenant.orgId, id])).length > 0) {
      throw new DomainError(
        'conflict',
        'call_running',
        'A call is in progress in this room. End it first, then archive the room.',
      );
    }
    await tx.db
      .update(rooms)
      .set({ archivedAt: new Date(), archivedBy: actingAccount(tenant) })
      .where(isRoom(tx, id));
    await recordEvent(tx, { action: 'ROOM_ARCHIVED', entity: 'room', entityId: id });
    return { room: await readRoom(tx, id), hasChanged: true };
  });
}

/**
 * Restores a room. For an active one it changes nothing.
 * @throws DomainError 404
 */
export function restoreRoom(tenant: Tenant, id: RoomId): Promise<Room> {
  return tenant.transaction(async (tx) => {
    const room = await lockRoom(tx, id);
    if (!room.archivedAt) return readRoom(tx, id);
    await tx.db.update(rooms).set({ archivedAt: null, archivedBy: null }).where(isRoom(tx, id));
    await recordEvent(tx, { action: 'ROOM_RESTORED', entity: 'room', entityId: id });
    return readRoom(tx, id);
  });
}

const isRoom = (tx: TenantConnection, id: RoomId) =>
  and(eq(rooms.orgId, tx.tenant.orgId), eq(rooms.id, id));

async function lockRoom(tx: TenantConnection, id: RoomId) {
  const [room] = await tx.db.select().from(rooms).where(isRoom(tx, id)).for('no key update');
  if (!room) throw notFound();
  return room;
}
