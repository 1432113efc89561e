import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import type { addChecklistItemBody, Call } from '#domain/calls/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type CallId, checklistItemId, type PlaybookId, type RoomId } from '#domain/ids.ts';
import { type ChecklistItem, mostItems } from '#domain/playbooks/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';
import { holdChoosable } from '#server/playbooks/store.ts';
import { readChecklist } from './check-item.ts';
import { lockRoomOfCall } from './lock-room-of-call.ts';
import { tellRoom } from './room-events.ts';
import { copyChecklist } from './start-call.ts';
import { readCall } from './store.ts';

interface LockedCall {
  roomId: RoomId;
  playbookId: PlaybookId | null;
  isEnded: boolean;
}

const lockCall: Statement = {
  name: 'lock_call_of_checklist',
  text: `select room_id as "roomId", playbook_id as "playbookId", ended_at is not null as "isEnded"
    from calls where org_id = $1 and id = $2 for no key update`,
};
const places: Statement = {
  name: 'places_of_checklist',
  text: `select count(*)::integer as items, coalesce(max(position) + 1, 0) as next
    from call_checklist_items where org_id = $1 and call_id = $2`,
};
const addItem: Statement = {
  name: 'add_item_to_call',
  text: `insert into call_checklist_items (org_id, call_id, item_id, text, position)
    values ($1, $2, $3, $4, $5)`,
};
const moveOwnItems: Statement = {
  name: 'move_own_items_of_call',
  text: `update call_checklist_items set position = position + $3 where org_id = $1 and call_id = $2`,
};
const itemsOfPlaybook: Statement = {
  name: 'count_items_of_playbook',
  text: `select count(*)::integer as items from playbook_items where org_id = $1 and playbook_id = $2`,
};
const takePlaybook: Statement = {
  name: 'take_playbook',
  text: 'update calls set playbook_id = $3 where org_id = $1 and id = $2',
};
const takePlaybookForRoom: Statement = {
  name: 'take_playbook_for_room',
  text: `update rooms set playbook_id = $3
    where org_id = $1 and id = $2 and playbook_id is null returning id`,
};

/**
 * Adds a step to the end of a running call's checklist. The playbook does not change.
 * @throws DomainError 404, 409 for a call that has ended or a full checklist
 */
export async function addChecklistItem(
  bus: LiveBus,
  tenant: Tenant,
  id: CallId,
  { text }: z.infer<typeof addChecklistItemBody>,
): Promise<ChecklistItem> {
  const { item, roomId } = await tenant.transaction(async (tx) => {
    const { roomId } = await lockRunning(tx, id);
    const { items, next } = await placesOf(tx, id);
    requireRoomFor(items + 1);
    const item = { id: newId(checklistItemId), text, order: next };
    await tx.run(addItem, [tenant.orgId, id, item.id, text, next]);
    await recordEvent(tx, {
      action: 'CALL_ITEM_ADDED',
      entity: 'call',
      entityId: id,
      metadata: { itemId: item.id },
    });
    return { item, roomId };
  });
  await tellChecklist(bus, tenant, roomId, id);
  return item;
}

/**
 * Gives a playbook to a running call that has none, and to its room if that has none. Steps that were added to the
 * call follow those of the playbook.
 * @throws DomainError 404, 409 for a call that has ended or has a playbook, for a playbook that is archived, or for
 *   more steps than a checklist has
 */
export async function choosePlaybook(
  bus: LiveBus,
  tenant: Tenant,
  id: CallId,
  playbookId: PlaybookId,
): Promise<Call> {
  const { call, isNew } = await tenant.transaction(async (tx) => {
    await lockRoomOfCall(tx, id);
    const { roomId, playbookId: present } = await lockRunning(tx, id);
    if (present === playbookId) return { call: await readCall(tx, id), isNew: false };
    if (present !== null)
      throw new DomainError(
        'conflict',
        'call_has_playbook',
        'This call already has a playbook. Reload the page to see it.',
      );
    await holdChoosable(tx, playbookId);
    const [playbook] = await tx.run<{ items: number }>(itemsOfPlaybook, [tenant.orgId, playbookId]);
    const ofPlaybook = playbook?.items ?? 0;
    requireRoomFor((await placesOf(tx, id)).items + ofPlaybook);
    await tx.run(moveOwnItems, [tenant.orgId, id, ofPlaybook]);
    await tx.run(copyChecklist, [tenant.orgId, id, playbookId]);
    await tx.run(takePlaybook, [tenant.orgId, id, playbookId]);
    const metadata = { fields: ['playbookId'] };
    await recordEvent(tx, { action: 'CALL_UPDATED', entity: 'call', entityId: id, metadata });
    const ofRoom = await tx.run(takePlaybookForRoom, [tenant.orgId, roomId, playbookId]);
    if (ofRoom.length > 0)
      await recordEvent(tx, { action: 'ROOM_UPDATED', entity: 'room', entityId: roomId, metadata });
    return { call: await readCall(tx, id), isNew: true };
  });
  if (isNew) await tellChecklist(bus, tenant, call.roomId, id);
  return call;
}

async function lockRunning(tx: TenantConnection, id: CallId): Promise<LockedCall> {
  const [call] = await tx.run<LockedCall>(lockCall, [tx.tenant.orgId, id]);
  if (!call) throw notFound();
  if (call.isEnded)
    throw new DomainError(
      'conflict',
      'call_has_ended',
      'This call has ended, so you can’t add steps to it.',
    );
  return call;
}

/** After the lock, so that it sees what others have added until then. */
async function placesOf(
  tx: TenantConnection,
  id: CallId,
): Promise<{ items: number; next: number }> {
  const [found] = await tx.run<{ items: number; next: number }>(places, [tx.tenant.orgId, id]);
  return found ?? { items: 0, next: 0 };
}

function requireRoomFor(items: number): void {
  if (items <= mostItems) return;
  throw new DomainError(
    'conflict',
    'checklist_full',
    `A checklist can have at most ${mostItems} steps.`,
  );
}

/** A checklist has up to 200 steps, and all panels are sent all of them. */
const tellEveryMs = 250;
interface Pause {
  over: Promise<void>;
  /** What has changed during the pause is told together after it. */
  next: Promise<void> | null;
}
const pauses = new Map<CallId, Pause>();

/** Pages that miss a step of the list read the call again. */
async function tellChecklist(
  bus: LiveBus,
  tenant: Tenant,
  roomId: RoomId,
  callId: CallId,
): Promise<void> {
  const pause = pauses.get(callId);
  if (pause) {
    pause.next ??= pause.over.then(() => tellChecklist(bus, tenant, roomId, callId));
    return pause.next;
  }
  const over = delay(tellEveryMs, undefined, { ref: false }).then(() => {
    pauses.delete(callId);
  });
  pauses.set(callId, { over, next: null });
  const items = await readChecklist(tenant, callId);
  tellRoom(bus, roomId, { channel: 'panel', message: { type: 'checklist', callId, items } });
}
