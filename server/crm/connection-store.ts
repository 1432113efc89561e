import type { BodyOf } from '#domain/contract.ts';
import type { CrmConnection, updateCrm } from '#domain/crm/contract.ts';
import { type CrmMapping, type CrmVendor, crmMapping, crmVendors } from '#domain/crm/mapping.ts';
import { notFound } from '#domain/errors.ts';
import type { CrmConnectionId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

interface ListedRow {
  id: CrmConnectionId;
  vendor: CrmVendor;
  accountName: string;
  attention: CrmConnection['attention'];
  mapping: unknown;
  deletesCalls: boolean;
  waitingCount: number;
  failedCount: number;
}

const counted = (state: string) => `(select count(*)::integer from (
    select 1 from crm_syncs s where s.connection_id = n.id and s.state = '${state}' limit 1000
  ) counted)`;
const connections: Statement = {
  name: 'crm_connections_of_organization',
  text: `select n.id, n.vendor, n.account_name as "accountName", n.attention_reason as attention, n.mapping,
      n.deletes_calls as "deletesCalls", ${counted('waiting')} as "waitingCount",
      ${counted('failed')} as "failedCount"
    from crm_connections n where n.org_id = $1`,
};
const lockConnection: Statement = {
  name: 'lock_crm_connection',
  text: 'select vendor from crm_connections where org_id = $1 and id = $2 for no key update',
};
const vendorOfConnection: Statement = {
  name: 'vendor_of_crm_connection',
  text: 'select vendor from crm_connections where org_id = $1 and id = $2',
};
const changeConnection: Statement = {
  name: 'change_crm_connection',
  text: `update crm_connections set mapping = coalesce($3, mapping), deletes_calls = coalesce($4, deletes_calls)
    where org_id = $1 and id = $2`,
};

/** @param isConfigured whether the operator has configured a CRM */
export async function listConnections(
  tenant: Tenant,
  isConfigured: (vendor: CrmVendor) => boolean,
): Promise<CrmConnection[]> {
  return tenant.connection((at) => readConnections(at, isConfigured));
}

export async function readConnections(
  { run, tenant }: TenantConnection,
  isConfigured: (vendor: CrmVendor) => boolean,
): Promise<CrmConnection[]> {
  const rows = await run<ListedRow & Record<string, unknown>>(connections, [tenant.orgId]);
  return crmVendors.map((vendor) => {
    const row = rows.find((one) => one.vendor === vendor);
    return row ? asConnection(row) : absent(vendor, isConfigured(vendor));
  });
}

const absent = (vendor: CrmVendor, isConfigured: boolean): CrmConnection => ({
  id: null,
  vendor,
  state: isConfigured ? 'not_connected' : 'unavailable',
  accountName: null,
  attention: null,
  settings: null,
  waitingCount: 0,
  failedCount: 0,
});

function asConnection(row: ListedRow): CrmConnection {
  const { id, vendor, accountName, attention, deletesCalls, waitingCount, failedCount } = row;
  return {
    id,
    vendor,
    state: attention ? 'needs_attention' : 'connected',
    accountName,
    attention,
    settings: { mapping: readMapping(row.mapping), deletesCalls },
    waitingCount,
    failedCount,
  };
}

export const readMapping = (stored: unknown): CrmMapping => crmMapping.parse(stored);

/** @throws DomainError 404 */
export function updateConnection(
  tenant: Tenant,
  id: CrmConnectionId,
  { mapping, deletesCalls }: BodyOf<typeof updateCrm>,
): Promise<void> {
  return tenant.transaction(async (tx) => {
    const key = [tenant.orgId, id];
    const [row] = await tx.run<{ vendor: CrmVendor }>(lockConnection, key);
    if (!row) throw notFound();
    const fields = [mapping && 'mapping', deletesCalls !== undefined && 'deletesCalls'].filter(
      Boolean,
    );
    if (fields.length === 0) return;
    await tx.run(changeConnection, [...key, mapping && JSON.stringify(mapping), deletesCalls]);
    await recordEvent(tx, {
      action: 'CRM_UPDATED',
      entity: 'crm_connection',
      entityId: id,
      metadata: {
        vendor: row.vendor,
        fields,
        ...(deletesCalls === undefined ? {} : { deletesCalls }),
      },
    });
  });
}

/** @throws DomainError 404 */
export async function vendorOf(tenant: Tenant, id: CrmConnectionId): Promise<CrmVendor> {
  const [row] = await tenant.connection(({ run }) =>
    run<{ vendor: CrmVendor }>(vendorOfConnection, [tenant.orgId, id]),
  );
  if (!row) throw notFound();
  return row.vendor;
}
