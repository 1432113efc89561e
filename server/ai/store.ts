import type { ActionItem, ActionItemList, Analyzer } from '#domain/ai/contract.ts';
import { type ActionItemId, actionItemId, type CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { findCall } from '#server/calls/store.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { actionItemLists, actionItems } from './tables.ts';

interface ListRow {
  analyzer: string;
  offline: boolean;
  created_at: Date;
  items: (ActionItem & { id: ActionItemId })[] | null;
}

const actionItemsOfCall: Statement = {
  name: 'action_items_of_call',
  text: `select l.analyzer, l.offline, l.created_at,
      (select json_agg(json_build_object('id', i.id, 'priority', i.priority,
          'confidence', i.confidence, 'title', i.title, 'description', i.description,
          'owner', i.owner, 'due', i.due) order by i.position)
         from action_items i where i.call_id = l.call_id) as items
    from action_item_lists l where l.org_id = $1 and l.call_id = $2`,
};

/** Returns the list generated when the call ended, or null before that. */
export async function findActionItems(
  tenant: Tenant,
  call: CallId,
): Promise<(ActionItemList & { analyzer: Analyzer }) | null> {
  const [row] = await tenant.connection(({ run }) =>
    run<ListRow>(actionItemsOfCall, [tenant.orgId, call]),
  );
  if (!row) return null;
  return {
    actionItems: row.items ?? [],
    generatedAt: row.created_at.toISOString(),
    analyzer: { name: row.analyzer, offline: row.offline },
  };
}

/** @throws DomainError 404 */
export async function listActionItems(tenant: Tenant, call: CallId): Promise<ActionItemList> {
  const found = await findActionItems(tenant, call);
  if (found) return found;
  await findCall(tenant, call);
  return { actionItems: [], generatedAt: null, analyzer: null };
}

/** Stores the list of an ended call, unless it has one: the first list stays. */
export async function keepActionItems(
  tenant: Tenant,
  call: CallId,
  analyzer: Analyzer,
  items: readonly ActionItem[],
): Promise<void> {
  const { orgId } = tenant;
  await tenant.transaction(async (tx) => {
    const [isFirst] = await tx.db
      .insert(actionItemLists)
      .values({
        callId: call,
        orgId,
        analyzer: analyzer.name,
        offline: analyzer.offline,
        createdBy: actingAccount(tenant),
        createdAt: new Date(),
      })
      .onConflictDoNothing()
      .returning({ callId: actionItemLists.callId });
    if (!isFirst) return;
    const rows = items.map((item, position) => ({
      ...item,
      id: newId(actionItemId),
      orgId,
      callId: call,
      position,
    }));
    if (rows.length > 0) await tx.db.insert(actionItems).values(rows);
    await recordEvent(tx, {
      action: 'ACTION_ITEMS_CREATED',
      entity: 'call',
      entityId: call,
      metadata: { count: rows.length },
    });
  });
}

const failureOfCall: Statement = {
  name: 'action_item_failure',
  text: `insert into action_item_failures as f (org_id, call_id, tries, next_try_at)
    values ($1, $2, 1, now() + interval '4 minutes')
    on conflict (call_id) do update set tries = f.tries + 1,
      next_try_at = now() + interval '1 minute' * power(4, f.tries + 1)`,
};

/** Records a failure. The job tries the call again later, five times in all. */
export async function noteFailure(tenant: Tenant, call: CallId): Promise<void> {
  await tenant.transaction(({ run }) => run(failureOfCall, [tenant.orgId, call]));
}
