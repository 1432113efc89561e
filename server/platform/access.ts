import type { Actor } from '#domain/auth/permissions.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Connection, Database } from './database.ts';

declare const minted: unique symbol;

/**
 * The right to touch one organisation's rows, and on whose behalf. Every store function takes it
 * first. Only this file mints it, so that a query without a tenant does not compile.
 */
export interface Tenant {
  readonly [minted]: true;
  readonly orgId: OrgId;
  readonly actor: Actor;
  /** Where the request came from; null for jobs. Kept in audit events. */
  readonly address: string | null;
  /** Reads, or one statement that writes, on a connection walled to this organisation. */
  read<T>(use: (connection: TenantConnection) => Promise<T>): Promise<T>;
  /** One transaction: all or nothing, the audit event included. */
  write<T>(use: (transaction: TenantConnection) => Promise<T>): Promise<T>;
}

/** A connection lent out to a tenant. */
export interface TenantConnection extends Omit<Connection, 'query'> {
  readonly tenant: Tenant;
}

/** Whoever acts must belong to an organisation, which is the one that is reached. */
export function tenantOf(database: Database, actor: Actor, address: string | null): Tenant {
  const lend =
    <T>(use: (connection: TenantConnection) => Promise<T>) =>
    (connection: Connection) =>
      use({ db: connection.db, prepared: connection.prepared, run: connection.run, tenant });
  const tenant = {
    orgId: actor.orgId,
    actor,
    address,
    read: (use) => database.read(actor.orgId, lend(use)),
    write: (use) => database.write(actor.orgId, lend(use)),
  } as Tenant; // the only place where the brand is put on
  return tenant;
}

/** The account that acts, for columns like `created_by`; null for guests, tokens and jobs. */
export const actingAccount = (tenant: Tenant) =>
  tenant.actor.kind === 'user' ? tenant.actor.accountId : null;
