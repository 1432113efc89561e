import { DomainError } from '#domain/errors.ts';
import type { CallId, ChecklistItemId } from '#domain/ids.ts';
import { auditRow } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

interface ItemState {
  itemId: ChecklistItemId;
  checked: boolean;
}

// Writes the ticks and their audit events in one statement: one round trip, one commit (bench/live.ts), and
// one count of a completed call.
const checkAll: Statement = {
  name: 'check_items',
  text: `with given as (
      select * from unnest($3::uuid[], $4::boolean[], $5::uuid[], $6::text[])
        as g (item_id, checked, event_id, action)
    ), changed as (
      update call_checklist_items i
      set checked_at = case when g.checked then now() end,
        checked_by = case when g.checked then $7::uuid end
      from given g
      where i.org_id = $1 and i.call_id = $2 and i.item_id = g.item_id
        and (i.checked_at is not null) <> g.checked
      returning i.item_id, g.checked, g.event_id, g.action
    ), told as (
      insert into audit_events
        (id, org_id, actor_kind, actor_id, action, entity, entity_id, metadata, address, created_at)
      select event_id, $1, $8, $9, action, 'call', $2, jsonb_build_object('itemId', item_id), $10, $11
      from changed
    )
    select coalesce((select json_agg(json_build_object('itemId', item_id, 'checked', checked))
        from changed), '[]') as changed,
      not exists (
        select item_id from given
        except
        select item_id from call_checklist_items where org_id = $1 and call_id = $2
      ) as "areKnown"`,
};

/**
 * Ticks and unticks these items of a call. Repeating it changes nothing.
 * @returns those that changed
 * @throws DomainError 404 for an item that is not on the call's checklist
 */
export async function checkItems(
  at: TenantConnection,
  call: CallId,
  items: readonly ItemState[],
): Promise<ItemState[]> {
  const events = items.map(({ checked }) => {
    const action = checked ? 'CALL_ITEM_CHECKED' : 'CALL_ITEM_UNCHECKED';
    return auditRow(at.tenant, { action, entity: 'call', entityId: call });
  });
  const [event] = events;
  if (!event) return [];
  const [row] = await at.run<{ changed: ItemState[]; areKnown: boolean }>(checkAll, [
    event.orgId,
    call,
    items.map(({ itemId }) => itemId),
    items.map(({ checked }) => checked),
    events.map(({ id }) => id),
    events.map(({ action }) => action),
    actingAccount(at.tenant),
    event.actorKind,
    event.actorId,
    event.address,
    event.createdAt,
  ]);
  if (!row?.areKnown) {
    throw new DomainError('not_found', 'unknown_item', 'This item isn’t on the call’s checklist.');
  }
  return row.changed;
}

/**
 * Ticks or unticks one item of a call.
 * @returns whether it changed
 * @throws as `checkItems`
 */
export async function checkItem(
  at: TenantConnection,
  call: CallId,
  itemId: ChecklistItemId,
  checked: boolean,
): Promise<boolean> {
  return (await checkItems(at, call, [{ itemId, checked }])).length > 0;
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
