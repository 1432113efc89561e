import type { z } from 'zod';
import { startOfCall } from '#domain/calls/call-times.ts';
import type { Call, startCallBody } from '#domain/calls/contract.ts';
import { notFound } from '#domain/errors.ts';
import { callId, type RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { refuseBeyondLimit } from '#server/billing/refuse-beyond-limit.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { storedBytes } from '#server/platform/stored-bytes.ts';
import { roomArchived, roomIsSample } from '#server/rooms/refused-rooms.ts';
import { rooms } from '#server/rooms/tables.ts';
import type { Services } from '#server/services.ts';
import type { RunningCall } from './admit-participant.ts';
import { hasJoined, shownStart } from './attendance-store.ts';
import { findCall, readCall } from './store.ts';
import { calls } from './tables.ts';

/**
 * Starts a call, or returns the one that runs in the room, whatever start is sent. Of any number of
 * concurrent starts exactly one creates a call, by the constraint `calls_one_running`.
 * @throws DomainError 400 for an implausible start, 404 for an unknown room, 409 for an archived
 * one or a sample, 402 where the plan has no call left, 429 where the organization has stored too much
 */
export async function startCall(
  tenant: Tenant,
  given: z.infer<typeof startCallBody>,
  services: Pick<Services, 'billing' | 'video' | 'config' | 'log'>,
): Promise<{ call: Call; isNew: boolean }> {
  const running = await runningCall(tenant, given.roomId);
  if (running) return { call: running, isNew: false };
  const stored = storedBytes(services);
  stored.require(tenant);
  try {
    const call = await tenant.transaction((tx) => insertCall(tx, given, services));
    stored.spend(tenant, bytesOfChecklist(call));
    return { call, isNew: true };
  } catch (error) {
    if (!isUniqueViolation(error, 'calls_one_running')) throw error;
    const winner = await runningCall(tenant, given.roomId);
    if (winner) return { call: winner, isNew: false };
    // The other call ended in between, so start again.
    return startCall(tenant, given, services);
  }
}

async function runningCall(tenant: Tenant, room: RoomId): Promise<Call | null> {
  const found = await findRunningCall(tenant, room);
  return found && findCall(tenant, found.id);
}

/**
 * Returns the call in progress in a room. Until someone has joined, its start is its creation.
 */
export async function findRunningCall(tenant: Tenant, room: RoomId): Promise<RunningCall | null> {
  const [found] = await tenant.connection(({ run }) =>
    run<Omit<RunningCall, 'startedAt'> & { started_at: Date }>(runningInRoom, [tenant.orgId, room]),
  );
  if (!found) return null;
  const { started_at: startedAt, ...call } = found;
  return { ...call, startedAt: startedAt.toISOString() };
}
const runningInRoom: Statement = {
  name: 'running_in_room',
  text: `select id, ${shownStart('calls')} as started_at, ${hasJoined('calls')} as joined,
      locked_at is not null as locked
    from calls where org_id = $1 and room_id = $2 and ended_at is null`,
};

async function insertCall(
  tx: TenantConnection,
  given: z.infer<typeof startCallBody>,
  { billing, video }: Pick<Services, 'billing' | 'video'>,
): Promise<Call> {
  const { tenant } = tx;
  const [room] = await tx.db
    .select({
      playbookId: rooms.playbookId,
      archivedAt: rooms.archivedAt,
      sampleSetId: rooms.sampleSetId,
    })
    .from(rooms)
    .where(and(eq(rooms.orgId, tenant.orgId), eq(rooms.id, given.roomId)))
    // A concurrent archiving waits for this lock, and then sees the call.
    .for('no key update');
  if (!room) throw notFound();
  if (room.archivedAt) throw roomArchived();
  if (room.sampleSetId) throw roomIsSample();
  const now = new Date();
  const claimedStart = given.startedAt === undefined ? undefined : new Date(given.startedAt);
  const startedAt = startOfCall(claimedStart, now);
  await refuseBeyondLimit(tx, billing, now);
  const id = newId(callId);
  await tx.db.insert(calls).values({
    id,
    orgId: tenant.orgId,
    roomId: given.roomId,
    playbookId: room.playbookId,
    startedBy: actingAccount(tenant),
    startedAt,
    lastSeenAt: now,
    createdAt: now,
    attendanceKnown: video.joins !== 'unknown',
  });
  if (room.playbookId) {
    await tx.run(copyChecklist, [tenant.orgId, id, room.playbookId]);
  }
  await recordEvent(tx, {
    action: 'CALL_CREATED',
    entity: 'call',
    entityId: id,
    metadata: { roomId: given.roomId },
  });
  return readCall(tx, id);
}

/** What the copy of a playbook's items adds to the database. */
export const bytesOfChecklist = ({ checklistItems }: Pick<Call, 'checklistItems'>): number =>
  checklistItems.reduce((bytes, { text }) => bytes + Buffer.byteLength(text) + bytesOfItem, 0);
/** Of its row and the entry of an index. */
const bytesOfItem = 200;

/** Copies the items of a playbook: `[organization, call, playbook]`. */
export const copyChecklist: Statement = {
  name: 'copy_checklist',
  text: `insert into call_checklist_items (org_id, call_id, item_id, text, position)
    select org_id, $2, id, text, position from playbook_items
    where org_id = $1 and playbook_id = $3`,
};
