import type { z } from 'zod';
import {
  type addActionItemBody,
  mostActionItems,
  type StoredActionItem,
  type UpdateActionItemBody,
} from '#domain/action-items/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type AccountId, type ActionItemId, actionItemId, type CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { requireCall } from '#server/calls/store.ts';
import { requireNotHeld } from '#server/consent/discard-captured.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { keyOf } from './source-key.ts';
import { readActionItem } from './store.ts';

interface LockedItem {
  callId: CallId;
  priority: StoredActionItem['priority'];
  title: string;
  description: string;
  owner: string | null;
  due: string | null;
  dueOn: string | null;
  assigneeId: AccountId | null;
  sourceKey: string | null;
  isAdded: boolean;
  isCompleted: boolean;
}

const beginList: Statement = {
  name: 'begin_action_item_list',
  text: `insert into action_item_lists (call_id, org_id, created_by, created_at)
    values ($2, $1, $3, now()) on conflict do nothing`,
};
/** The list is locked first, here and when it is generated, so that places are taken one at a time. */
const lockList: Statement = {
  name: 'lock_action_item_list',
  text: 'select 1 from action_item_lists where org_id = $1 and call_id = $2 for no key update',
};
const placesOfList: Statement = {
  name: 'places_of_action_items',
  text: `select count(*)::integer as items, coalesce(max(position) + 1, 0) as next
    from action_items where org_id = $1 and call_id = $2`,
};
const insertItem: Statement = {
  name: 'insert_action_item',
  text: `insert into action_items (org_id, id, call_id, position, priority, confidence, title,
      description, owner, due_on, assignee_id, edited_at, edited_by)
    values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10, now(), $11)`,
};
const lockItem: Statement = {
  name: 'lock_action_item',
  text: `select call_id as "callId", priority, title, description, owner, due,
      to_char(due_on, 'YYYY-MM-DD') as "dueOn", assignee_id as "assigneeId",
      source_key as "sourceKey", source_key is null and edited_at is not null as "isAdded",
      completed_at is not null as "isCompleted"
    from action_items where org_id = $1 and id = $2 for update`,
};
const editItem: Statement = {
  name: 'edit_action_item',
  text: `update action_items set priority = $3, title = $4, description = $5, owner = $6, due = $7,
      due_on = $8, assignee_id = $9, source_key = $10, edited_at = now(), edited_by = $11,
      title_edited_at = case when title <> $4 then now() else title_edited_at end
    where org_id = $1 and id = $2`,
};
const completeItem: Statement = {
  name: 'complete_action_item',
  text: `update action_items set completed_at = now(), completed_by = $3, source_key = $4
    where org_id = $1 and id = $2`,
};
const reopenItem: Statement = {
  name: 'reopen_action_item',
  text: `update action_items set completed_at = null, completed_by = null
    where org_id = $1 and id = $2`,
};
const deleteItem: Statement = {
  name: 'delete_action_item',
  text: 'delete from action_items where org_id = $1 and id = $2',
};
/** Each list is read with these keys when it is generated. Of more, the oldest deletions are forgotten. */
export const mostDismissed = 1_000;
const dismissKey: Statement = {
  name: 'dismiss_action_item',
  text: `update action_item_lists
    set dismissed = (array_append(dismissed, $3))[greatest(1, cardinality(dismissed) + 2 - ${mostDismissed}):]
    where org_id = $1 and call_id = $2 and not $3 = any (dismissed)`,
};
const memberById: Statement = {
  name: 'assignee_of_action_item',
  text: 'select 1 from memberships where org_id = $1 and account_id = $2',
};

/**
 * Adds an item to the end of a call's list.
 * @throws DomainError 404, 400 for an assignee who is not a member, 409 for a full list
 */
export function addActionItem(
  tenant: Tenant,
  call: CallId,
  given: z.infer<typeof addActionItemBody>,
): Promise<StoredActionItem> {
  const { orgId } = tenant;
  const by = actingAccount(tenant);
  return tenant.transaction(async (tx) => {
    await requireCall(tx, call);
    await tx.run(beginList, [orgId, call, by]);
    await tx.run(lockList, [orgId, call]);
    const next = await nextPlace(tx, call);
    const { title, description = '', priority = 'medium', dueOn = null, assigneeId = null } = given;
    if (assigneeId) await requireMember(tx, assigneeId);
    const owner = assigneeId ? null : given.owner || null;
    const id = newId(actionItemId);
    await tx.run(insertItem, [
      ...[orgId, id, call, next, priority, title, description, owner, dueOn, assigneeId, by],
    ]);
    await recordItem(tx, 'ACTION_ITEM_CREATED', call, id);
    return readActionItem(tx, id);
  });
}

/** Like `readActionItem`, with the item locked until the transaction ends. @throws DomainError 404 */
export async function holdActionItem(
  tx: TenantConnection,
  id: ActionItemId,
): Promise<StoredActionItem> {
  const { callId } = await readActionItem(tx, id);
  await tx.run(lockList, [tx.tenant.orgId, callId]);
  await lockActionItem(tx, id);
  return readActionItem(tx, id);
}

/** @throws DomainError 404, 400 for an assignee who is not a member, 409 for an edit under a legal hold */
export function updateActionItem(
  tenant: Tenant,
  id: ActionItemId,
  { isCompleted, ...edit }: UpdateActionItemBody,
): Promise<StoredActionItem> {
  const { orgId } = tenant;
  const by = actingAccount(tenant);
  return tenant.transaction(async (tx) => {
    const edited = Object.keys(edit);
    if (edited.length > 0) await requireNotHeld(tx, (await readActionItem(tx, id)).callId);
    const item = await lockActionItem(tx, id);
    if (edited.length > 0) {
      const next = { ...item, ...edit, ...(await ownerOf(tx, edit, item)) };
      // A new day replaces the words of the notes.
      const due = 'dueOn' in edit && edit.dueOn !== item.dueOn ? null : item.due;
      await tx.run(editItem, [
        ...[orgId, id, next.priority, next.title, next.description, next.owner, due],
        ...[next.dueOn, next.assigneeId, sourceKeyOf(item), by],
      ]);
      await recordItem(tx, 'ACTION_ITEM_UPDATED', item.callId, id, { fields: edited });
    }
    if (isCompleted !== undefined && isCompleted !== item.isCompleted) {
      await (isCompleted
        ? tx.run(completeItem, [orgId, id, by, sourceKeyOf(item)])
        : tx.run(reopenItem, [orgId, id]));
      const action = isCompleted ? 'ACTION_ITEM_COMPLETED' : 'ACTION_ITEM_REOPENED';
      await recordItem(tx, action, item.callId, id);
    }
    return readActionItem(tx, id);
  });
}

/** Deletes an item. One that was generated does not come back. @throws DomainError 404, 409 under a legal hold */
export async function deleteActionItem(tenant: Tenant, id: ActionItemId): Promise<void> {
  const { orgId } = tenant;
  await tenant.transaction(async (tx) => {
    const { callId: call } = await readActionItem(tx, id);
    await requireNotHeld(tx, call);
    await tx.run(lockList, [orgId, call]);
    const key = sourceKeyOf(await lockActionItem(tx, id));
    await tx.run(deleteItem, [orgId, id]);
    if (key !== null) await tx.run(dismissKey, [orgId, call, key]);
    await recordItem(tx, 'ACTION_ITEM_DELETED', call, id);
  });
}

/** Generated before items had keys, unless a member added it. */
const sourceKeyOf = (item: LockedItem): string | null =>
  item.sourceKey ?? (item.isAdded ? null : keyOf(item));

async function lockActionItem(tx: TenantConnection, id: ActionItemId): Promise<LockedItem> {
  const [item] = await tx.run<LockedItem>(lockItem, [tx.tenant.orgId, id]);
  if (!item) throw notFound();
  return item;
}

async function nextPlace(tx: TenantConnection, call: CallId): Promise<number> {
  const [places] = await tx.run<{ items: number; next: number }>(placesOfList, [
    tx.tenant.orgId,
    call,
  ]);
  const { items, next } = places ?? { items: 0, next: 0 };
  if (items < mostActionItems) return next;
  throw new DomainError(
    'conflict',
    'action_items_full',
    `A call can have at most ${mostActionItems} action items. Delete some to add new ones.`,
  );
}

async function ownerOf(
  tx: TenantConnection,
  edit: Omit<UpdateActionItemBody, 'isCompleted'>,
  item: LockedItem,
): Promise<Pick<LockedItem, 'owner' | 'assigneeId'>> {
  if (edit.assigneeId) {
    await requireMember(tx, edit.assigneeId);
    return { assigneeId: edit.assigneeId, owner: null };
  }
  if (edit.owner !== undefined) return { assigneeId: null, owner: edit.owner || null };
  if (edit.assigneeId === null) return { assigneeId: null, owner: null };
  return { assigneeId: item.assigneeId, owner: item.owner };
}

/** An assigned item is shown with the name of the account, and stores none: it ends with the account, and an erasure. */
async function requireMember(tx: TenantConnection, id: AccountId): Promise<void> {
  const found = await tx.run(memberById, [tx.tenant.orgId, id]);
  if (found.length > 0) return;
  throw new DomainError(
    'invalid',
    'unknown_assignee',
    'This person isn’t in your team. Choose someone else.',
    { errors: [{ path: 'assigneeId', message: 'This person isn’t in your team.' }] },
  );
}

const recordItem = (
  tx: TenantConnection,
  action: Uppercase<string>,
  call: CallId,
  id: ActionItemId,
  metadata: object = {},
) =>
  recordEvent(tx, {
    action,
    entity: 'call',
    entityId: call,
    metadata: { actionItemId: id, ...metadata },
  });
