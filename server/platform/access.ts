import type { Actor } from '#domain/auth/permissions.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Connection, Database, Gate } from './database.ts';

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
  /**
   * One transaction: all or nothing, the audit event included.
   * @param through another queue, to go through once the tenant's turn for a connection has come
   */
  write<T>(
    use: (transaction: TenantConnection) => Promise<T>,
    options?: { through?: Gate | undefined },
  ): Promise<T>;
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
    read: (use) => database.read(actor.orgId, lend(use), { actor: turnsOf(actor) }),
    write: (use, { through } = {}) =>
      database.write(actor.orgId, lend(use), { actor: turnsOf(actor), through }),
  } as Tenant; // the only place where the brand is put on
  return tenant;
}

/** The account that acts, for columns like `created_by`; null for guests, tokens and jobs. */
export const actingAccount = (tenant: Tenant) =>
  tenant.actor.kind === 'user' ? tenant.actor.accountId : null;

/**
 * Whose turns for a connection an actor takes. The guests of a room share theirs: a link makes as many
 * guests as somebody likes.
 */
function turnsOf(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return actor.accountId;
    case 'token':
      return actor.tokenId;
    case 'guest':
      return actor.roomId;
    case 'system':
      return actor.name;
  }
}
