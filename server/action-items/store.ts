import type { ActionItemList, StoredActionItem } from '#domain/action-items/contract.ts';
import { callsWithOpenItems, mostActionItems } from '#domain/action-items/contract.ts';
import type { Citation } from '#domain/ai/evidence.ts';
import { notFound } from '#domain/errors.ts';
import type { ActionItemId, CallId, RoomId, TranscriptLineId } from '#domain/ids.ts';
import { requireCall } from '#server/calls/store.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

type ItemRow = Omit<StoredActionItem, 'completedAt' | 'source'> & {
  completedAt: Date | null;
  lineId: TranscriptLineId | null;
  startMs: number | null;
  speaker: string | null;
  noteLine: number | null;
};
interface ListRow {
  analyzer: string | null;
  offline: boolean | null;
  generated_at: Date | null;
}

/** SQL: the name that is shown of an account, by its alias. */
const nameOf = (account: string) =>
  `coalesce(nullif(trim(${account}.first_name || ' ' || ${account}.last_name), ''), ${account}.email)`;
const columns = `i.id, i.call_id as "callId", i.priority, i.confidence, i.title, i.description,
    i.cited_line_id as "lineId", i.cited_start_ms as "startMs", i.cited_speaker as "speaker",
    i.cited_note_line as "noteLine", i.due, to_char(i.due_on, 'YYYY-MM-DD') as "dueOn", i.assignee_id as "assigneeId",
    case when a.id is null then i.owner else ${nameOf('a')} end as owner,
    i.completed_at as "completedAt", ${nameOf('b')} as "completedBy",
    i.source_key is not null or i.edited_at is null as "isGenerated",
    i.edited_at is not null and i.source_key is not null as "isEdited"`;
const accountsOfItem = `left join known_people a on a.id = i.assignee_id
    left join known_people b on b.id = i.completed_by`;

const listOfCall: Statement = {
  name: 'action_item_list_of_call',
  text: `select analyzer, offline, case when analyzer is null then null
      else coalesce(generated_at, created_at) end as generated_at
    from action_item_lists where org_id = $1 and call_id = $2`,
};
const itemsOfCall: Statement = {
  name: 'action_items_of_call',
  text: `select ${columns} from action_items i ${accountsOfItem}
    where i.org_id = $1 and i.call_id = $2
    order by i.completed_at is not null, i.position limit ${mostActionItems}`,
};
const itemById: Statement = {
  name: 'action_item_by_id',
  text: `select ${columns} from action_items i ${accountsOfItem} where i.org_id = $1 and i.id = $2`,
};
const openItemsOfRoom: Statement = {
  name: 'open_action_items_of_room',
  text: `with newest as materialized (
      select id from calls where org_id = $1 and room_id = $2 order by id desc limit ${callsWithOpenItems}
    )
    select ${columns} from newest c
    cross join lateral (
      select * from action_items x where x.call_id = c.id and x.org_id = $1 and x.completed_at is null
      order by x.position limit ${mostActionItems}
    ) i ${accountsOfItem}
    order by c.id desc, i.position limit ${mostActionItems}`,
};
const roomById: Statement = {
  name: 'room_of_action_items',
  text: 'select id from rooms where org_id = $1 and id = $2',
};

const itemOf = ({ lineId, startMs, speaker, noteLine, ...row }: ItemRow): StoredActionItem => ({
  ...row,
  completedAt: row.completedAt?.toISOString() ?? null,
  source: sourceOf({ lineId, startMs, speaker, noteLine }, row.description),
});

function sourceOf(
  {
    lineId,
    startMs,
    speaker,
    noteLine,
  }: Pick<ItemRow, 'lineId' | 'startMs' | 'speaker' | 'noteLine'>,
  quote: string,
): Citation | null {
  if (lineId !== null && startMs !== null)
    return { kind: 'line', lineId, startMs, speaker: speaker ?? '', quote };
  return noteLine === null ? null : { kind: 'note', line: noteLine, quote };
}

/** Returns the action items of a call, open ones first. @throws DomainError 404 */
export const listActionItems = (tenant: Tenant, call: CallId): Promise<ActionItemList> =>
  tenant.connection((at) => readActionItems(at, call));

/** @throws DomainError 404 */
export async function readActionItems(at: TenantConnection, call: CallId): Promise<ActionItemList> {
  const list = await readList(at, call);
  if (!list) await requireCall(at, call);
  return list ?? { actionItems: [], generatedAt: null, analyzer: null };
}

/** Returns when the list of a call was last generated, as an ISO time; null before the first time. */
export async function generatedAt(tenant: Tenant, call: CallId): Promise<string | null> {
  const [list] = await tenant.connection(({ run }) =>
    run<ListRow>(listOfCall, [tenant.orgId, call]),
  );
  return list?.generated_at?.toISOString() ?? null;
}

async function readList(at: TenantConnection, call: CallId): Promise<ActionItemList | null> {
  const key = [at.tenant.orgId, call];
  const [list] = await at.run<ListRow>(listOfCall, key);
  if (!list) return null;
  const rows = await at.run<ItemRow>(itemsOfCall, key);
  return {
    actionItems: rows.map(itemOf),
    generatedAt: list.generated_at?.toISOString() ?? null,
    analyzer:
      list.analyzer === null ? null : { name: list.analyzer, offline: list.offline === true },
  };
}

/** Returns the item as this connection sees it. @throws DomainError 404 */
export async function readActionItem(
  at: TenantConnection,
  id: ActionItemId,
): Promise<StoredActionItem> {
  const [row] = await at.run<ItemRow>(itemById, [at.tenant.orgId, id]);
  if (!row) throw notFound();
  return itemOf(row);
}

/** Returns the open action items of a room's newest calls. @throws DomainError 404, 429 */
export function listOpenActionItems(tenant: Tenant, room: RoomId): Promise<StoredActionItem[]> {
  const key = [tenant.orgId, room];
  // Many completed items make an empty list.
  return tenant.sharedRead(['open_action_items', ...key], async (at) => {
    const rows = await at.run<ItemRow>(openItemsOfRoom, key);
    if (rows.length === 0 && (await at.run(roomById, key)).length === 0) throw notFound();
    return rows.map(itemOf);
  });
}
