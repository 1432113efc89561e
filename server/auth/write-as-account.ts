import type { User } from '#domain/auth/contract.ts';
import { type AuditEntry, recordEvent } from '#server/audit/record-event.ts';
import { type TenantConnection, tenantOf } from '#server/platform/access.ts';
import { sessionCheck } from '#server/platform/authority.ts';
import type { Connection, Database } from '#server/platform/database.ts';

/** Who changes something of their own account, and from where. */
export interface Self {
  user: Pick<User, 'id' | 'orgId' | 'role'>;
  address: string | null;
  /**
   * In which session they ask: it must still be there at the end of the transaction. Null where another
   * proof stands for it, or where the transaction ends it: what holds instead is checked in it.
   */
  session: { id: string } | null;
}

/** What an account's own changes may use: they lie outside the tenants. */
export type AccountConnection = Pick<Connection, 'db' | 'run'>;

/**
 * One transaction, with an audit event where there is an organization whose log it belongs to.
 * @param happened the action, and what of it the event tells
 * @param change is given the transaction, and the same one as its organization's where there is one
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
