import { mostActionItems } from '#domain/action-items/contract.ts';
import type { ActionItem, Analyzer } from '#domain/ai/contract.ts';
import type { Call } from '#domain/calls/contract.ts';
import { type ActionItemId, actionItemId } from '#domain/ids.ts';
import { lockExistingLines } from '#server/ai/answers.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { keyOf } from './source-key.ts';

interface ListRow {
  dismissed: string[];
}
interface KeptItem {
  id: ActionItemId;
  title: string;
  description: string;
  source_key: string | null;
  position: number;
  /** A member added, edited, or completed it. */
  is_touched: boolean;
  is_added: boolean;
}

/**
 * A list has two unique keys, its call's and the one that items refer to. `on conflict (…) do update` allows for one of
 * them, so of two requests at the same moment, one could fail at the other.
 */
const beginList: Statement = {
  name: 'begin_generated_list',
  text: `insert into action_item_lists
      (org_id, call_id, analyzer, offline, created_by, created_at, generated_at)
    values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())
    on conflict do nothing
    returning dismissed`,
};
/** $5: when the call ended, if only a list from before that is to be replaced. */
const claimList: Statement = {
  name: 'claim_action_item_list',
  text: `update action_item_lists set analyzer = $3, offline = $4, generated_at = clock_timestamp()
    where org_id = $1 and call_id = $2 and ($5::timestamptz is null or analyzer is null
      or coalesce(generated_at, created_at) < $5)
    returning dismissed`,
};
const keptItems: Statement = {
  name: 'kept_action_items',
  text: `select id, title, description, source_key, position,
      edited_at is not null or completed_at is not null as is_touched,
      source_key is null and edited_at is not null as is_added
    from action_items where org_id = $1 and call_id = $2 for update`,
};
const deleteItems: Statement = {
  name: 'delete_generated_action_items',
  text: 'delete from action_items where org_id = $1 and id = any ($2)',
};
const insertItems: Statement = {
  name: 'insert_generated_action_items',
  text: `insert into action_items (org_id, call_id, id, position, priority, confidence, title,
      description, owner, due, due_on, source_key, cited_line_id, cited_start_ms, cited_speaker,
      cited_note_line)
    select $1, $2, id, position, priority, confidence, title, description, owner, due, due_on, key,
      line_id, start_ms, speaker, note_line
    from unnest($3::uuid[], $4::integer[], $5::text[], $6::real[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::date[], $12::text[], $13::uuid[], $14::integer[], $15::text[],
      $16::integer[])
      as given (id, position, priority, confidence, title, description, owner, due, due_on, key,
        line_id, start_ms, speaker, note_line)`,
};

/**
 * Stores generated items as the list of a call. Items that members added, edited, or completed stay, deleted ones do
 * not come back, and the others are replaced. A concurrent request waits, and then merges into the same list.
 * @param which `missing` stores nothing if the list was generated after the call ended
 */
export async function keepGenerated(
  tenant: Tenant,
  call: Pick<Call, 'id' | 'endedAt'>,
  analyzer: Analyzer,
  generated: readonly ActionItem[],
  which: 'missing' | 'again',
): Promise<void> {
  const { orgId } = tenant;
  await tenant.transaction(async (tx) => {
    const own = [orgId, call.id, analyzer.name, analyzer.offline];
    const [begun] = await tx.run<ListRow>(beginList, [...own, actingAccount(tenant)]);
    const since = which === 'again' ? null : call.endedAt;
    const [list] = begun ? [begun] : await tx.run<ListRow>(claimList, [...own, since]);
    if (!list) return;
    const kept = await tx.run<KeptItem>(keptItems, [orgId, call.id]);
    const present = await stillSaid(tx, generated);
    const { added, removed } = differenceOf(kept, present, list.dismissed);
    if (removed.length > 0) await tx.run(deleteItems, [orgId, removed]);
    if (added.length > 0) await insertGenerated(tx, call.id, added, kept);
    const counts = { added: added.length, removed: removed.length };
    if (which === 'missing' && !begun && counts.added + counts.removed === 0) return;
    await recordEvent(tx, {
      action: begun ? 'ACTION_ITEMS_CREATED' : 'ACTION_ITEMS_UPDATED',
      entity: 'call',
      entityId: call.id,
      metadata: begun ? { count: added.length } : counts,
    });
  });
}

/** Leaves out items of phrases that were deleted while they were read. */
async function stillSaid(
  tx: TenantConnection,
  generated: readonly ActionItem[],
): Promise<ActionItem[]> {
  const lineOf = ({ source }: ActionItem) => (source?.kind === 'line' ? source.lineId : null);
  const ids = generated.flatMap((item) => lineOf(item) ?? []);
  const left = await lockExistingLines(tx, ids);
  return generated.filter((item) => {
    const line = lineOf(item);
    return line === null || left.has(line);
  });
}

interface KeyedItem {
  item: ActionItem;
  key: string;
}

function differenceOf(
  kept: readonly KeptItem[],
  generated: readonly ActionItem[],
  dismissed: readonly string[],
): { added: KeyedItem[]; removed: ActionItemId[] } {
  const fresh = new Map(generated.map((item) => [keyOf(item), item]));
  const present = new Set(dismissed);
  const removed: ActionItemId[] = [];
  for (const item of kept) {
    const key = item.source_key ?? (item.is_added ? null : keyOf(item));
    if (!item.is_touched && (key === null || !fresh.has(key))) removed.push(item.id);
    else if (key !== null) present.add(key);
  }
  const places = mostActionItems - (kept.length - removed.length);
  const added = [...fresh]
    .filter(([key]) => !present.has(key))
    .map(([key, item]) => ({ key, item }))
    .slice(0, Math.max(0, places));
  return { added, removed };
}

async function insertGenerated(
  tx: TenantConnection,
  call: Call['id'],
  added: readonly KeyedItem[],
  kept: readonly KeptItem[],
): Promise<void> {
  const next = Math.max(-1, ...kept.map(({ position }) => position)) + 1;
  const of = <T>(read: (item: ActionItem) => T) => added.map(({ item }) => read(item));
  await tx.run(insertItems, [
    ...[tx.tenant.orgId, call],
    added.map(() => newId(actionItemId)),
    added.map((_, at) => next + at),
    of(({ priority }) => priority),
    of(({ confidence }) => confidence),
    of(({ title }) => title),
    of(({ description }) => description),
    of(({ owner }) => owner),
    of(({ due }) => due),
    of(({ dueOn }) => dueOn ?? null),
    added.map(({ key }) => key),
    of(({ source }) => (source?.kind === 'line' ? source.lineId : null)),
    of(({ source }) => (source?.kind === 'line' ? source.startMs : null)),
    of(({ source }) => (source?.kind === 'line' ? source.speaker : null)),
    of(({ source }) => (source?.kind === 'note' ? source.line : null)),
  ]);
}
