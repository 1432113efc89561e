import { DomainError } from '#domain/errors.ts';
import type { CallId, ChecklistItemId } from '#domain/ids.ts';
import { auditRow } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

// Writes the tick and its audit event in one statement: one round trip, one commit (bench/live.ts).
const checkOne: Statement = {
  name: 'check_item',
  text: `with changed as (
      update call_checklist_items
      set checked_at = case when $4 then now() end, checked_by = case when $4 then $5::uuid end
      where org_id = $1 and call_id = $2 and item_id = $3 and (checked_at is not null) <> $4
      returning item_id
    ), told as (
      insert into audit_events
        (id, org_id, actor_kind, actor_id, action, entity, entity_id, metadata, address, created_at)
      select $6, $1, $7, $8, $9, 'call', $2, $10, $11, $12 from changed
    )
    select exists (select 1 from call_checklist_items
      where org_id = $1 and call_id = $2 and item_id = $3) as known,
      exists (select 1 from changed) as changed`,
};

/**
 * Ticks or unticks one item of a call. Repeating it changes nothing.
 * @returns whether it changed
 * @throws DomainError 404 for an item that is not on the call's checklist
 */
export async function checkItem(
  at: TenantConnection,
  call: CallId,
  item: ChecklistItemId,
  checked: boolean,
): Promise<boolean> {
  const { tenant } = at;
  const event = auditRow(tenant, {
    action: checked ? 'CALL_ITEM_CHECKED' : 'CALL_ITEM_UNCHECKED',
    entity: 'call',
    entityId: call,
    metadata: { itemId: item },
  });
  const [row] = await at.run<{ known: boolean; changed: boolean }>(checkOne, [
    tenant.orgId,
    call,
    item,
    checked,
    actingAccount(tenant),
    event.id,
    event.actorKind,
    event.actorId,
    event.action,
    event.metadata,
    event.address,
    event.createdAt,
  ]);
  if (!row?.known) {
    throw new DomainError('not_found', 'unknown_item', 'This item is not on the call’s checklist.');
  }
  return row.changed;
}

interface ItemState {
  itemId: ChecklistItemId;
  checked: boolean;
}

/**
 * Ticks and unticks these items.
 * @returns those that changed
 * @throws as `checkItem`
 */
export async function checkItems(
  tx: TenantConnection,
  call: CallId,
  items: readonly ItemState[],
): Promise<ItemState[]> {
  const changed = [];
  for (const item of items) {
    if (await checkItem(tx, call, item.itemId, item.checked)) changed.push(item);
  }
  return changed;
}

/** Returns the ticks of a call, in the order of its checklist. */
export function readChecklist(tenant: Tenant, call: CallId) {
  return tenant.connection(({ run }) =>
    run<{ itemId: ChecklistItemId; checked: boolean }>(checklistOfCall, [tenant.orgId, call]),
  );
}
const checklistOfCall: Statement = {
  name: 'checklist_of_call',
  text: `select item_id as "itemId", checked_at is not null as checked from call_checklist_items
    where org_id = $1 and call_id = $2 order by position`,
};
