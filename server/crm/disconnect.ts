import { notFound } from '#domain/errors.ts';
import type { CrmConnectionId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { cancelFlows } from './flow-store.ts';
import { type Revocation, revokeStored, type StoredAccess } from './revoke-access.ts';

const connectionById: Statement = {
  name: 'crm_connection_to_delete',
  text: `select id, vendor, refresh_token_sealed as "refreshSealed"
    from crm_connections where org_id = $1 and id = $2 for update`,
};
const deleteConnection: Statement = {
  name: 'disconnect_crm',
  text: 'delete from crm_connections where org_id = $1 and id = $2',
};
const connectionsToEnd: Statement = {
  name: 'crm_connections_to_end',
  text: `select id, vendor, refresh_token_sealed as "refreshSealed"
    from crm_connections where org_id = $1 order by vendor`,
};

/**
 * Forgets the tokens and what was sent, cancels connections that are being made, and revokes the access at the vendor.
 * @returns whether the vendor has revoked it
 * @throws DomainError 404
 */
export async function disconnect(
  services: Services,
  tenant: Tenant,
  id: CrmConnectionId,
): Promise<boolean> {
  const access = await tenant.transaction(async (tx) => {
    const key = [tenant.orgId, id];
    const [row] = await tx.run<StoredAccess & Record<string, unknown>>(connectionById, key);
    if (!row) throw notFound();
    await tx.run(deleteConnection, key);
    await cancelFlows(tx, row.vendor);
    await recordEvent(tx, {
      action: 'CRM_DISCONNECTED',
      entity: 'crm_connection',
      entityId: id,
      metadata: { vendor: row.vendor },
    });
    return row;
  });
  return (await revokeStored(services, access)) === 'revoked';
}

/** Revokes the access of an organization that is being deleted; its connections are deleted with it. */
export async function revokeAllAccess(services: Services, tenant: Tenant): Promise<Revocation[]> {
  const stored = await tenant.connection(({ run }) =>
    run<StoredAccess & Record<string, unknown>>(connectionsToEnd, [tenant.orgId]),
  );
  return Promise.all(stored.map((one) => revokeStored(services, one)));
}
