import type { User } from '#domain/auth/contract.ts';
import { type AuditEntry, recordEvent } from '#server/audit/record-event.ts';
import { type TenantConnection, tenantOf } from '#server/platform/access.ts';
import { sessionCheck } from '#server/platform/authority.ts';
import type { Connection, Database } from '#server/platform/database.ts';

/** The account that changes its own data, and where the request came from. */
export interface Self {
  user: Pick<User, 'id' | 'orgId' | 'role'>;
  address: string | null;
  /**
   * The requesting session, which must still exist at the end of the transaction. Null if other proof
   * replaces it, or if the transaction ends it; the transaction then checks that proof.
   */
  session: { id: string } | null;
}

/** The connection for changes to an account itself, which lie outside the tenants. */
export type AccountConnection = Pick<Connection, 'db' | 'run'>;

/**
 * Runs one transaction, with an audit event if the account has an organization.
 * @param happened the action and metadata of the event
 * @param change receives the transaction, and the same one as its organization's connection if there is one
 */
export async function writeAsAccount<T>(
  database: Database,
  { user, address, session }: Self,
  happened: Pick<AuditEntry, 'action' | 'metadata'>,
  change: (tx: AccountConnection, here: TenantConnection | null) => Promise<T>,
): Promise<T> {
  const { id, orgId, role } = user;
  if (orgId === null || role === null) {
    const check = session && sessionCheck(session, id, null);
    return database.transaction('outside', (tx) => change(tx, null), { check, actorKey: id });
  }
  const actor = { kind: 'user' as const, accountId: id, orgId, role };
  const by = session ? { session, permission: null } : 'own-proof';
  return tenantOf(database, actor, address, by).transaction(async (tx) => {
    const result = await change(tx, tx);
    await recordEvent(tx, { ...happened, entity: 'account', entityId: id });
    return result;
  });
}
