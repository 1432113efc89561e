import type { z } from 'zod';
import { checklistItemId, type PlaybookId, playbookId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { ChecklistItem, createPlaybookBody, Playbook } from '#domain/playbooks/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { actingAccount } from '#server/platform/access.ts';
import { and, asc, desc, eq, inArray, lt } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { playbookItems, playbooks } from './tables.ts';

/** Newest first. */
export function listPlaybooks(tenant: Tenant, page: PageQuery): Promise<Playbook[]> {
  return tenant.read(async (at) => {
    const found = await at.db
      .select()
      .from(playbooks)
      .where(
        and(
          eq(playbooks.orgId, tenant.orgId),
          page.before ? lt(playbooks.id, playbookId.parse(page.before)) : undefined,
        ),
      )
      .orderBy(desc(playbooks.id))
      .limit(page.limit);
    const items = await itemsOf(
      at,
      found.map((playbook) => playbook.id),
    );
    return found.map((playbook) => ({
      id: playbook.id,
      title: playbook.title,
      description: playbook.description,
      checklistItems: items.get(playbook.id) ?? [],
      createdAt: playbook.createdAt.toISOString(),
    }));
  });
}

/** The checklist items of several playbooks, in their order. */
export async function itemsOf(
  at: TenantConnection,
  ids: PlaybookId[],
): Promise<Map<PlaybookId, ChecklistItem[]>> {
  const grouped = new Map<PlaybookId, ChecklistItem[]>();
  if (ids.length === 0) return grouped;
  const rows = await at.db
    .select()
    .from(playbookItems)
    .where(and(eq(playbookItems.orgId, at.tenant.orgId), inArray(playbookItems.playbookId, ids)))
    .orderBy(asc(playbookItems.playbookId), asc(playbookItems.position));
  for (const row of rows) {
    const items = grouped.get(row.playbookId) ?? [];
    items.push({ id: row.id, text: row.text, order: row.position });
    grouped.set(row.playbookId, items);
  }
  return grouped;
}

export async function createPlaybook(
  tenant: Tenant,
  given: z.infer<typeof createPlaybookBody>,
): Promise<Playbook> {
  const id = newId(playbookId);
  const createdAt = new Date();
  const description = given.description || null;
  const items = given.checklistItems.map(({ text }, order) => ({
    id: newId(checklistItemId),
    text,
    order,
  }));
  await tenant.write(async (tx) => {
    await tx.db.insert(playbooks).values({
      id,
      orgId: tenant.orgId,
      title: given.title,
      description,
      createdBy: actingAccount(tenant),
      createdAt,
    });
    await tx.db.insert(playbookItems).values(
      items.map((item) => ({
        id: item.id,
        orgId: tenant.orgId,
        playbookId: id,
        text: item.text,
        position: item.order,
      })),
    );
    await recordEvent(tx, { action: 'PLAYBOOK_CREATED', entity: 'playbook', entityId: id });
  });
  return {
    id,
    title: given.title,
    description,
    checklistItems: items,
    createdAt: createdAt.toISOString(),
  };
}
