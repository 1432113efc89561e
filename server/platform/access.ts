import type { Actor, UserActor } from '#domain/auth/permissions.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Authority, checkOf, lateCheckOf, lateMs } from './authority.ts';
import type { Check, Connection, Database, Gate, Turn } from './database.ts';

declare const minted: unique symbol;

/**
 * The right to touch one organization's rows, and on whose behalf. Every store function takes it
 * first. Only this file mints it, so that a query without a tenant does not compile.
 */
export interface Tenant {
  readonly [minted]: true;
  readonly orgId: OrgId;
  readonly actor: Actor;
  /** Where the request came from; null for jobs. Kept in audit events. */
  readonly address: string | null;
  /**
   * Reads, or one statement that writes, on a connection walled to this organization.
   * @param options `through` as for `transaction`; `isUrgent` and `actorKey` as for `Turn`
   */
  connection<T>(use: (connection: TenantConnection) => Promise<T>, options?: Turn): Promise<T>;
  /**
   * One transaction: all or nothing, the audit event included. Those of a person and of a SCIM token
   * check at their end, with the commit, that the session, the membership and the permission, or the
   * token, are still good: a body, a host that answers slowly, or a lock may have taken long. What waited
   * half a second for its connection is checked before it begins, reads and the work of members' sockets
   * included. Jobs and guests have no authority that ends so (authority.ts).
   * @param through another queue, to go through with the tenant's share of connections taken
   * @throws DomainError what a new request would be answered: 401, 403
   */
  transaction<T>(
    use: (transaction: TenantConnection) => Promise<T>,
    options?: { through?: Gate | undefined },
  ): Promise<T>;
  /**
   * `transaction` for what may end the authority of who asks: that is checked once `lock` holds the rows by
   * which others would end it. At the end only a session that stays is looked for.
   * @param ends the person's own role, as by a change of it, or their session, as by a removal
   */
  transactionEndingOwn<T>(
    ends: 'role' | 'session',
    lock: (transaction: TenantConnection) => Promise<unknown>,
    use: (transaction: TenantConnection) => Promise<T>,
  ): Promise<T>;
  /** What must still hold as a transaction commits. */
  readonly check: Check | null;
}

/** A connection lent out to a tenant. */
export interface TenantConnection extends Omit<Connection, 'query'> {
  readonly tenant: Tenant;
}

/**
 * Whoever acts must belong to an organization, which is the one that is reached.
 * @param by a person's authority; a token's is the token
 */
export function tenantOf(
  database: Database,
  actor: Exclude<Actor, UserActor>,
  address: string | null,
): Tenant;
export function tenantOf(
  database: Database,
  actor: Actor,
  address: string | null,
  by: Authority,
): Tenant;
export function tenantOf(
  database: Database,
  actor: Actor,
  address: string | null,
  by: Authority | null = null,
): Tenant {
  const check = checkOf(actor, by);
  const actorKey = keyOf(actor);
  const lateCheck = lateCheckOf(actor, by);
  const lend = <T>(use: (connection: TenantConnection) => Promise<T>) => {
    const askedAt = performance.now();
    return async ({ db, prepared, run }: Connection) => {
      const isLate = performance.now() - askedAt > lateMs;
      if (isLate && lateCheck) await run(lateCheck.statement, lateCheck.values);
      return use({ db, prepared, run, tenant });
    };
  };
  const tenant = {
    orgId: actor.orgId,
    actor,
    address,
    check,
    connection: (use, turn = {}) =>
      database.connection(actor.orgId, lend(use), { actorKey, ...turn }),
    transaction: (use, { through } = {}) =>
      database.transaction(actor.orgId, lend(use), { actorKey, through, check }),
    transactionEndingOwn: (ends, lock, use) =>
      database.transaction(
        actor.orgId,
        lend(async (tx) => {
          await lock(tx);
          if (check) await tx.run(check.statement, check.values);
          return use(tx);
        }),
        { actorKey, check: ends === 'role' ? checkOf(actor, by, { anyRole: true }) : null },
      ),
  } as Tenant; // the only place where the brand is put on
  return tenant;
}

/**
 * Looks again whether who asks still may: before each page of an answer that is read for long.
 * @throws DomainError 401, 403
 */
export async function requireStillMay(tenant: Tenant): Promise<void> {
  const { check } = tenant;
  if (check) await tenant.connection(({ run }) => run(check.statement, check.values));
}

/** The account that acts, for columns like `created_by`; null for guests, tokens and jobs. */
export const actingAccount = (tenant: Tenant) =>
  tenant.actor.kind === 'user' ? tenant.actor.accountId : null;

/**
 * Whose turns for a connection an actor takes. The guests of a room share theirs: a link makes as many
 * guests as somebody likes.
 */
function keyOf(actor: Actor): string {
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
