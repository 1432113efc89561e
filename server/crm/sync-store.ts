import type { CrmSync } from '#domain/crm/contract.ts';
import type { CrmVendor } from '#domain/crm/mapping.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { requireCall } from '#server/calls/store.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

type SyncRow = Omit<CrmSync, 'syncedAt'> & { syncedAt: Date | null };

const syncsOfCall: Statement = {
  name: 'crm_syncs_of_call',
  text: `select n.vendor, s.state, s.reason, s.detail, s.synced_at as "syncedAt",
      coalesce(s.customer_email, r.customer_email) as "customerEmail", n.attention_at is not null as "isHeld"
    from crm_syncs s join crm_connections n on n.org_id = s.org_id and n.id = s.connection_id
    left join calls c on c.org_id = s.org_id and c.id = s.call_id
    left join rooms r on r.org_id = s.org_id and r.id = c.room_id
    where s.org_id = $1 and s.call_id = $2 order by n.vendor`,
};
const lockForRetry: Statement = {
  name: 'lock_crm_sync_of_call',
  text: `select s.id, s.state, s.reason, r.customer_email as "roomEmail"
    from crm_syncs s
    join crm_connections n on n.org_id = s.org_id and n.id = s.connection_id and n.vendor = $3
    join calls c on c.org_id = s.org_id and c.id = s.call_id
    join rooms r on r.org_id = s.org_id and r.id = c.room_id
    where s.org_id = $1 and s.call_id = $2 for no key update of s`,
};
// What was deleted at the vendor is created again. Where no contact was found, the room's present address counts.
const retrySync: Statement = {
  name: 'retry_crm_sync',
  text: `update crm_syncs set state = 'waiting', reason = null, detail = null, attempts = 0, first_try_at = null,
      next_try_at = clock_timestamp(), wanted_version = wanted_version + 1,
      customer_email = case when reason in ('no_customer', 'no_match', 'several_matches')
        then coalesce($3, customer_email) else customer_email end,
      remote_id = case when $4 then null else remote_id end, remote_digest = null,
      synced_at = case when $4 then null else synced_at end
    where org_id = $1 and id = $2`,
};
const forgetTasks: Statement = {
  name: 'forget_crm_tasks',
  text: 'delete from crm_tasks where org_id = $1 and sync_id = $2',
};

/** @throws DomainError 404 */
export function listSyncs(tenant: Tenant, id: CallId): Promise<CrmSync[]> {
  return tenant.connection(async (at) => {
    await requireCall(at, id);
    return readSyncs(at, id);
  });
}

async function readSyncs({ run, tenant }: TenantConnection, id: CallId): Promise<CrmSync[]> {
  const rows = await run<SyncRow & Record<string, unknown>>(syncsOfCall, [tenant.orgId, id]);
  return rows.map((row) => ({ ...row, syncedAt: row.syncedAt?.toISOString() ?? null }));
}

/** Sends a call again now. @throws DomainError 404, 409 if the room has no customer's address */
export function retrySyncOf(tenant: Tenant, id: CallId, vendor: CrmVendor): Promise<CrmSync> {
  return tenant.transaction(async (tx) => {
    const [row] = await tx.run<{ id: string; reason: CrmSync['reason']; roomEmail: string | null }>(
      lockForRetry,
      [tenant.orgId, id, vendor],
    );
    if (!row) throw notFound();
    if (row.reason === 'no_customer' && row.roomEmail === null) {
      throw new DomainError(
        'conflict',
        'crm_no_customer',
        'Add the customer’s email to the room first.',
      );
    }
    const isNew = row.reason === 'deleted_there';
    if (isNew) await tx.run(forgetTasks, [tenant.orgId, row.id]);
    await tx.run(retrySync, [tenant.orgId, row.id, row.roomEmail, isNew]);
    await recordEvent(tx, {
      action: 'CRM_SYNC_RETRIED',
      entity: 'call',
      entityId: id,
      metadata: { vendor },
    });
    const sync = (await readSyncs(tx, id)).find((one) => one.vendor === vendor);
    if (!sync) throw notFound();
    return sync;
  });
}
