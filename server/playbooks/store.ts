import type { z } from 'zod';
import { DomainError, notFound } from '#domain/errors.ts';
import { checklistItemId, greatestId, type PlaybookId, playbookId } from '#domain/ids.ts';
import type {
  ChecklistItem,
  createPlaybookBody,
  Playbook,
  PlaybookQuery,
} from '#domain/playbooks/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { actingAccount } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { rowsWithin } from '#server/platform/paging.ts';
import { playbooks } from './tables.ts';

interface PlaybookRow {
  id: PlaybookId;
  title: string;
  description: string | null;
  created_at: Date;
  version: number;
  updated_at: Date;
  editor: Playbook['updatedBy'];
  archived_at: Date | null;
  archiver: Playbook['archivedBy'];
  is_sample: boolean;
}

/** `bytes`: of all its texts. */
type ListedRow = PlaybookRow & { items: number; bytes: number };

/** 200 of the longest playbooks would be 40,000 items of 80 MB. */
const mostOnPage = { items: 2_000, bytes: 1_000_000 };

const playbookColumns = `p.id, p.title, p.description, p.created_at, p.version, p.updated_at, p.archived_at,
    (select json_build_object('firstName', a.first_name, 'email', a.email)
       from known_people a where a.id = p.updated_by) as editor,
    (select json_build_object('firstName', b.first_name, 'email', b.email)
       from known_people b where b.id = p.archived_by) as archiver,
    p.sample_set_id is not null as is_sample`;

/** One statement per status, so that each uses its index. */
const pageOf = (status: PlaybookQuery['status'], condition: string): Statement => ({
  name: `page_of_playbooks_${status}`,
  text: `select ${playbookColumns}, i.items, i.bytes
    from playbooks p
    cross join lateral (
      select count(*)::integer as items,
        coalesce(sum(octet_length(i.text)), 0)::integer + octet_length(p.title)
          + coalesce(octet_length(p.description), 0) as bytes
      from playbook_items i where i.org_id = p.org_id and i.playbook_id = p.id
    ) i
    where p.org_id = $1 and p.id < $2 and ${condition}
      and ($4 = '' or position(lower($4) in lower(p.title)) > 0)
    order by p.id desc limit $3`,
});
const pagesOfPlaybooks = {
  active: pageOf('active', 'p.archived_at is null'),
  archived: pageOf('archived', 'p.archived_at is not null'),
};
const playbookById: Statement = {
  name: 'playbook_by_id',
  text: `select ${playbookColumns} from playbooks p where p.org_id = $1 and p.id = $2`,
};

/** Returns playbooks, newest first. `isCut`: the page is shorter than requested, and more follow. */
export function listPlaybooks(
  tenant: Tenant,
  page: PlaybookQuery,
): Promise<{ page: Playbook[]; isCut: boolean }> {
  const { status, search = '', before = greatestId, limit } = page;
  const read = async (at: TenantConnection) => {
    const rows = await at.run<ListedRow>(pagesOfPlaybooks[status], [
      tenant.orgId,
      before,
      limit,
      search,
    ]);
    const kept = rowsWithin(rows, mostOnPage);
    return { page: await withItems(at, kept), isCut: kept.length < rows.length };
  };
  // A search that finds nothing looks at all playbooks.
  return search
    ? tenant.sharedRead(['playbooks', status, before, limit, search], read)
    : tenant.connection(read);
}

/** @throws DomainError 404 */
export function findPlaybook(tenant: Tenant, id: PlaybookId): Promise<Playbook> {
  return tenant.connection((at) => readPlaybook(at, id));
}

/**
 * Returns the playbook as this connection sees it, including the changes of its own transaction.
 * @throws DomainError 404
 */
export async function readPlaybook(at: TenantConnection, id: PlaybookId): Promise<Playbook> {
  const rows = await at.run<PlaybookRow>(playbookById, [at.tenant.orgId, id]);
  const [found] = await withItems(at, rows);
  if (!found) throw notFound();
  return found;
}

async function withItems(at: TenantConnection, rows: PlaybookRow[]): Promise<Playbook[]> {
  const items = await itemsOf(
    at,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    description: row.description,
    checklistItems: items.get(row.id) ?? [],
    status: row.archived_at ? 'archived' : 'active',
    createdAt: row.created_at.toISOString(),
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.editor,
    archivedAt: row.archived_at?.toISOString() ?? null,
    archivedBy: row.archiver,
    ...(row.is_sample ? { sample: true as const } : {}),
  }));
}

/** Returns the checklist items of several playbooks, in their order. */
async function itemsOf(
  at: TenantConnection,
  ids: PlaybookId[],
): Promise<Map<PlaybookId, ChecklistItem[]>> {
  const grouped = new Map<PlaybookId, ChecklistItem[]>();
  if (ids.length === 0) return grouped;
  const rows = await at.run<ChecklistItem & { playbookId: PlaybookId }>(itemsOfPlaybooks, [
    at.tenant.orgId,
    ids,
  ]);
  for (const { playbookId: playbook, ...item } of rows) {
    const items = grouped.get(playbook) ?? [];
    items.push(item);
    grouped.set(playbook, items);
  }
  return grouped;
}
const itemsOfPlaybooks: Statement = {
  name: 'items_of_playbooks',
  text: `select playbook_id as "playbookId", id, text, position as "order" from playbook_items
    where org_id = $1 and playbook_id = any ($2::uuid[]) order by playbook_id, position`,
};

const insertPlaybook: Statement = {
  name: 'insert_playbook',
  text: `insert into playbooks
      (org_id, id, title, description, created_by, updated_by, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $5, $6, $6)`,
};

export function createPlaybook(
  tenant: Tenant,
  given: z.infer<typeof createPlaybookBody>,
): Promise<Playbook> {
  const id = newId(playbookId);
  const now = new Date();
  const by = actingAccount(tenant);
  return tenant.transaction(async (tx) => {
    await tx.run(insertPlaybook, [
      ...[tenant.orgId, id, given.title, given.description || null, by, now],
    ]);
    await insertItems(tx, id, given.checklistItems);
    await recordEvent(tx, { action: 'PLAYBOOK_CREATED', entity: 'playbook', entityId: id });
    return readPlaybook(tx, id);
  });
}

/** Inserts items in the order of the array. Those without an id are new. */
export async function insertItems(
  tx: TenantConnection,
  playbook: PlaybookId,
  items: readonly { id?: ChecklistItem['id'] | undefined; text: string }[],
): Promise<void> {
  await tx.run(insertAllItems, [
    tx.tenant.orgId,
    playbook,
    items.map(({ id }) => id ?? newId(checklistItemId)),
    items.map(({ text }) => text),
  ]);
}
const insertAllItems: Statement = {
  name: 'insert_playbook_items',
  text: `insert into playbook_items (org_id, playbook_id, id, text, position)
    select $1, $2, id, text, place - 1
    from unnest($3::uuid[], $4::text[]) with ordinality as given (id, text, place)`,
};

/**
 * Verifies that a room may choose the playbook, and locks it until the transaction ends.
 * @throws DomainError 404, 409 when it is archived or a sample
 */
export async function holdChoosable(tx: TenantConnection, id: PlaybookId): Promise<void> {
  const [found] = await tx.db
    .select({ archivedAt: playbooks.archivedAt, sampleSetId: playbooks.sampleSetId })
    .from(playbooks)
    .where(and(eq(playbooks.orgId, tx.tenant.orgId), eq(playbooks.id, id)))
    .for('no key update');
  if (!found) throw notFound();
  if (found.sampleSetId) {
    throw new DomainError(
      'conflict',
      'playbook_is_sample',
      'This is a sample playbook. Create one of your own from a template on the Playbooks page.',
    );
  }
  if (!found.archivedAt) return;
  throw new DomainError(
    'conflict',
    'playbook_archived',
    'This playbook is archived. Choose another one, or restore it on the Playbooks page.',
  );
}
