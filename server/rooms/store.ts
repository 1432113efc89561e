import type { z } from 'zod';
import { notFound } from '#domain/errors.ts';
import { greatestId, type RoomId, roomId } from '#domain/ids.ts';
import type { ChecklistItem } from '#domain/playbooks/contract.ts';
import type { createRoomBody, Room, RoomQuery } from '#domain/rooms/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { holdChoosable } from '#server/playbooks/store.ts';
import { rooms } from './tables.ts';

interface RoomRow {
  id: RoomId;
  topic: string;
  archived_at: Date | null;
  lobby_at: Date | null;
  archiver: Room['archivedBy'];
  created_at: Date;
  creator: Room['createdBy'];
  playbook_id: Room['playbookId'];
  playbook_title: string | null;
  calls: Room['calls'];
  call_count: number;
  is_sample: boolean;
  customer_email: string | null;
}

// Written in SQL and prepared, because every user loads the list of rooms first (bench/api.ts).
/** @param chosen selects the rooms before anything is joined to them, so that a page joins no more than its own. */
const selectRooms = (chosen: string) => `
  select r.id, r.topic, r.archived_at, r.lobby_at, r.created_at, r.playbook_id, p.title as playbook_title,
    case when a.id is null then null
      else json_build_object('firstName', a.first_name, 'email', a.email) end as creator,
    case when r.archived_by is null then null
      else (select json_build_object('firstName', b.first_name, 'email', b.email)
        from known_people b where b.id = r.archived_by) end as archiver,
    (select coalesce(json_agg(json_build_object('id', newest.id)), '[]')
       from (select c.id from calls c where c.room_id = r.id order by c.id desc limit 20) newest
    ) as calls,
    r.call_count, r.sample_set_id is not null as is_sample, r.customer_email
  from (select * from rooms where ${chosen}) r
  left join known_people a on a.id = r.created_by
  left join playbooks p on p.org_id = r.org_id and p.id = r.playbook_id`;

/** One statement per status, so that each uses its index, in its order unless there is a search. */
const pageOf = (name: string, condition: string): Statement => ({
  name: `page_of_rooms_${name}`,
  text: `${selectRooms(`org_id = $1 and id < $2 and personal_of is null and ${condition}
      order by id desc limit $3`)} order by r.id desc`,
});
const pagesOf = (status: RoomQuery['status'], condition: string) => ({
  all: pageOf(status, condition),
  found: pageOf(`${status}_found`, `${condition} and position(lower($4) in lower(topic)) > 0`),
});
const pagesOfRooms = {
  active: pagesOf('active', 'archived_at is null'),
  archived: pagesOf('archived', 'archived_at is not null'),
};
const roomById: Statement = {
  name: 'room_by_id',
  text: selectRooms('org_id = $1 and id = $2'),
};
// People wait for a room to open, so its checklist is read in the same round trip.
const roomWithChecklist: Statement = {
  name: 'room_with_checklist',
  text: `select room.*,
      (select coalesce(json_agg(json_build_object('id', i.id, 'text', i.text, 'order', i.position)
          order by i.position), '[]')
        from playbook_items i where i.org_id = $1 and i.playbook_id = room.playbook_id) as checklist
    from (${roomById.text}) room`,
};

/** Returns rooms, newest first. */
export async function listRooms(tenant: Tenant, page: RoomQuery): Promise<Room[]> {
  const { status, search = '', before = greatestId, limit } = page;
  const { all, found } = pagesOfRooms[status];
  const values = [tenant.orgId, before, limit];
  // A search that finds nothing looks at all rooms.
  const rows = search
    ? await tenant.sharedRead(['rooms', status, before, limit, search], ({ run }) =>
        run<RoomRow>(found, [...values, search]),
      )
    : await tenant.connection(({ run }) => run<RoomRow>(all, values));
  return rows.map(asRoom);
}

const lockRoom: Statement = {
  name: 'lock_room',
  text: 'select 1 from rooms where org_id = $1 and id = $2 for no key update',
};

/** Like `readRoom`, with the room locked until the transaction ends. @throws DomainError 404 */
export async function holdRoom(tx: TenantConnection, id: RoomId): Promise<Room> {
  await tx.run(lockRoom, [tx.tenant.orgId, id]);
  return readRoom(tx, id);
}

/** @throws DomainError 404 */
export function findRoom(tenant: Tenant, id: RoomId): Promise<Room> {
  return tenant.connection((at) => readRoom(at, id));
}

/**
 * Returns the room as this connection sees it, including the changes of its own transaction.
 * @throws DomainError 404
 */
export async function readRoom(at: TenantConnection, id: RoomId): Promise<Room> {
  const [row] = await at.run<RoomRow>(roomById, [at.tenant.orgId, id]);
  if (!row) throw notFound();
  return asRoom(row);
}

/**
 * Returns the room, with the checklist for its next call.
 * @throws DomainError 404
 */
export async function findRoomWithChecklist(
  tenant: Tenant,
  id: RoomId,
): Promise<{ room: Room; checklistItems: ChecklistItem[] }> {
  const [row] = await tenant.connection(({ run }) =>
    run<RoomRow & { checklist: ChecklistItem[] }>(roomWithChecklist, [tenant.orgId, id]),
  );
  if (!row) throw notFound();
  return { room: asRoom(row), checklistItems: row.checklist };
}

/** @throws DomainError 404 when the playbook is not the organization's, 409 when it is archived */
export function createRoom(tenant: Tenant, given: z.infer<typeof createRoomBody>): Promise<Room> {
  const id = newId(roomId);
  return tenant.transaction(async (tx) => {
    if (given.playbookId) await holdChoosable(tx, given.playbookId);
    await tx.db.insert(rooms).values({
      id,
      orgId: tenant.orgId,
      topic: given.topic,
      playbookId: given.playbookId ?? null,
      createdBy: actingAccount(tenant),
      createdAt: new Date(),
      ...lobbyRecord(tenant, given.lobby === true),
    });
    await recordEvent(tx, { action: 'ROOM_CREATED', entity: 'room', entityId: id });
    return readRoom(tx, id);
  });
}

/** Returns the columns of the lobby: who switched it on, and when. */
export const lobbyRecord = (tenant: Tenant, on: boolean) => ({
  lobbyAt: on ? new Date() : null,
  lobbyBy: on ? actingAccount(tenant) : null,
});

function asRoom(row: RoomRow): Room {
  return {
    id: row.id,
    topic: row.topic,
    status: row.archived_at ? 'archived' : 'active',
    createdAt: row.created_at.toISOString(),
    createdBy: row.creator,
    archivedAt: row.archived_at?.toISOString() ?? null,
    archivedBy: row.archiver,
    lobbySince: row.lobby_at?.toISOString() ?? null,
    playbookId: row.playbook_id,
    playbook:
      row.playbook_id && row.playbook_title !== null
        ? { id: row.playbook_id, title: row.playbook_title }
        : null,
    calls: row.calls,
    callCount: row.call_count,
    ...(row.customer_email === null ? {} : { customerEmail: row.customer_email }),
    ...(row.is_sample ? { sample: true as const } : {}),
  };
}
