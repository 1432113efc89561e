import type { Retention } from '#domain/privacy/contract.ts';
import { type RetentionKind, retentionKinds } from '#domain/privacy/retention.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { retentionRules } from './tables.ts';

export async function readRetention(at: TenantConnection): Promise<Retention> {
  const rows = await at.db
    .select({ kind: retentionRules.kind, days: retentionRules.days })
    .from(retentionRules)
    .where(eq(retentionRules.orgId, at.tenant.orgId));
  const days = new Map(rows.map((row) => [row.kind, row.days]));
  const all = retentionKinds.map((kind) => [kind, days.get(kind) ?? null]);
  return Object.fromEntries(all); // has every kind, which the contract checks
}

/**
 * Changes retention rules. An absent kind stays as it is; null keeps that kind forever. The audit event lists
 * the days, because they are settings.
 */
export function updateRetention(
  tenant: Tenant,
  given: { [K in RetentionKind]?: number | null | undefined },
): Promise<Retention> {
  return tenant.transaction(async (tx) => {
    const before = await readRetention(tx);
    const changed = retentionKinds.filter(
      (kind) => given[kind] !== undefined && given[kind] !== before[kind],
    );
    if (changed.length === 0) return before;
    for (const kind of changed) await setRule(tx, kind, given[kind] ?? null);
    const change = changed.map((kind) => [kind, { from: before[kind], to: given[kind] ?? null }]);
    await recordEvent(tx, {
      action: 'RETENTION_UPDATED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { days: Object.fromEntries(change) },
    });
    return readRetention(tx);
  });
}

async function setRule(tx: TenantConnection, kind: RetentionKind, days: number | null) {
  const { orgId } = tx.tenant;
  if (days === null) {
    await tx.db
      .delete(retentionRules)
      .where(and(eq(retentionRules.orgId, orgId), eq(retentionRules.kind, kind)));
    return;
  }
  const set = { days, setBy: actingAccount(tx.tenant), setAt: new Date() };
  await tx.db
    .insert(retentionRules)
    .values({ orgId, kind, ...set })
    .onConflictDoUpdate({ target: [retentionRules.orgId, retentionRules.kind], set });
}
