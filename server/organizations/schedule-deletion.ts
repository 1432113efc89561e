import { DomainError } from '#domain/errors.ts';
import { deletionGraceDays } from '#domain/privacy/retention.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { organizationDeletions } from './tables.ts';

/**
 * Schedules the organization's deletion after the grace period.
 * @returns when it is due; null if it was already scheduled
 */
export async function scheduleDeletion(tx: TenantConnection): Promise<Date | null> {
  const { tenant } = tx;
  const requestedAt = new Date();
  const dueAt = new Date(requestedAt.getTime() + deletionGraceDays * 86_400_000);
  const [isFirst] = await tx.db
    .insert(organizationDeletions)
    .values({ orgId: tenant.orgId, requestedBy: actingAccount(tenant), requestedAt, dueAt })
    .onConflictDoNothing()
    .returning();
  if (!isFirst) return null;
  await recordEvent(tx, {
    action: 'ORGANIZATION_DELETION_REQUESTED',
    entity: 'organization',
    entityId: tenant.orgId,
    metadata: { dueAt: dueAt.toISOString() },
  });
  return dueAt;
}

const lock: Statement = {
  name: 'lock_scheduled_deletion',
  text: 'select begun_at as "begunAt" from organization_deletions where org_id = $1 for share',
};

/**
 * Keeps a scheduled deletion from beginning until the transaction ends.
 * @throws DomainError 409 if it has begun
 */
export async function requireNotBegun({ run, tenant }: TenantConnection): Promise<void> {
  const [row] = await run<{ begunAt: Date | null }>(lock, [tenant.orgId]);
  if (!row?.begunAt) return;
  const message = 'Your organization is being deleted. That can’t be stopped any more.';
  throw new DomainError('conflict', 'deletion_begun', message);
}
