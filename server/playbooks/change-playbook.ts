import type { z } from 'zod';
import { DomainError, invalid, notFound } from '#domain/errors.ts';
import type { PlaybookId } from '#domain/ids.ts';
import type { Playbook, updatePlaybookBody } from '#domain/playbooks/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { insertItems, readPlaybook } from './store.ts';
import { playbooks } from './tables.ts';

type Edit = z.infer<typeof updatePlaybookBody>;

/**
 * Replaces a playbook's content. Items sent with their id keep it. Calls are not affected, because
 * each has a copy of its checklist.
 * @throws DomainError 404, 400 for an item that is not the playbook's, 409 when another edit came
 * first
 */
export function updatePlaybook(tenant: Tenant, id: PlaybookId, edit: Edit): Promise<Playbook> {
  return tenant.transaction(async (tx) => {
    await lockPlaybook(tx, id);
    const before = await readPlaybook(tx, id);
    if (before.version !== edit.version) throw changedMeanwhile(before);
    const fields = changedFields(before, edit);
    refuseForeignItems(before, edit);
    if (fields.length === 0) return before;
    await tx.db
      .update(playbooks)
      .set({
        title: edit.title,
        description: edit.description || null,
        version: before.version + 1,
        updatedAt: new Date(),
        updatedBy: actingAccount(tenant),
      })
      .where(isPlaybook(tx, id));
    if (fields.includes('checklistItems')) {
      await tx.run(removeItems, [tenant.orgId, id]);
      await insertItems(tx, id, edit.checklistItems);
    }
    await recordEvent(tx, {
      action: 'PLAYBOOK_UPDATED',
      entity: 'playbook',
      entityId: id,
      metadata: { fields },
    });
    return readPlaybook(tx, id);
  });
}

const removeItems: Statement = {
  name: 'remove_playbook_items',
  text: 'delete from playbook_items where org_id = $1 and playbook_id = $2',
};

function changedFields(before: Playbook, edit: Edit): string[] {
  const itemsOf = ({ checklistItems }: Playbook | Edit) =>
    JSON.stringify(checklistItems.map(({ id, text }) => [id ?? null, text]));
  return [
    ...(edit.title === before.title ? [] : ['title']),
    ...((edit.description || null) === before.description ? [] : ['description']),
    ...(itemsOf(edit) === itemsOf(before) ? [] : ['checklistItems']),
  ];
}

/** Refuses ids of another playbook, and repeated ones. */
function refuseForeignItems(before: Playbook, { checklistItems }: Edit): void {
  const own = new Set(before.checklistItems.map(({ id }) => id));
  checklistItems.forEach(({ id }, at) => {
    if (id === undefined || own.delete(id)) return;
    throw invalid(
      'item_not_in_playbook',
      'This item isn’t in the playbook. Send it without an id to add it.',
      `checklistItems.${at}.id`,
    );
  });
}

const changedMeanwhile = ({ updatedBy }: Playbook) =>
  new DomainError(
    'conflict',
    'playbook_changed',
    `${updatedBy?.firstName || updatedBy?.email || 'Someone else'} changed this playbook while you were editing it. Their changes are kept.`,
  );

/** Like `readPlaybook`, with the playbook locked until the transaction ends. @throws DomainError 404 */
export async function holdPlaybook(tx: TenantConnection, id: PlaybookId): Promise<Playbook> {
  await lockPlaybook(tx, id);
  return readPlaybook(tx, id);
}

/**
 * Archives a playbook. Rooms keep it; new ones cannot choose it.
 * @throws DomainError 404
 */
export function archivePlaybook(tenant: Tenant, id: PlaybookId): Promise<Playbook> {
  const archived = { archivedAt: new Date(), archivedBy: actingAccount(tenant) };
  return becomeArchived(tenant, id, archived, 'PLAYBOOK_ARCHIVED');
}

/** @throws DomainError 404 */
export function restorePlaybook(tenant: Tenant, id: PlaybookId): Promise<Playbook> {
  const active = { archivedAt: null, archivedBy: null };
  return becomeArchived(tenant, id, active, 'PLAYBOOK_RESTORED');
}

/** Repeating it changes nothing. */
function becomeArchived(
  tenant: Tenant,
  id: PlaybookId,
  next: Pick<typeof playbooks.$inferSelect, 'archivedAt' | 'archivedBy'>,
  action: 'PLAYBOOK_ARCHIVED' | 'PLAYBOOK_RESTORED',
): Promise<Playbook> {
  return tenant.transaction(async (tx) => {
    const { archivedAt } = await lockPlaybook(tx, id);
    if ((archivedAt === null) === (next.archivedAt === null)) return readPlaybook(tx, id);
    await tx.db.update(playbooks).set(next).where(isPlaybook(tx, id));
    await recordEvent(tx, { action, entity: 'playbook', entityId: id });
    return readPlaybook(tx, id);
  });
}

const isPlaybook = (tx: TenantConnection, id: PlaybookId) =>
  and(eq(playbooks.orgId, tx.tenant.orgId), eq(playbooks.id, id));

async function lockPlaybook(tx: TenantConnection, id: PlaybookId) {
  const [found] = await tx.db
    .select({ archivedAt: playbooks.archivedAt })
    .from(playbooks)
    .where(isPlaybook(tx, id))
    .for('no key update');
  if (!found) throw notFound();
  return found;
}
