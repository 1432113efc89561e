import type { Actor, UserActor } from '#domain/auth/permissions.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Authority, checkOf, lateCheckOf, lateMs } from './authority.ts';
import type { Check, Connection, Database, Gate, Statement, Turn } from './database.ts';
import { overruleLocksAtLast } from './overrule-locks.ts';
import { SharedRuns } from './shared-runs.ts';

/** Paces the answers of a request's organization (answer-turns.ts). */
export interface AnswerPace {
  /**
   * Waits for the organization's turn: of long answers, if this one is expected to be long, or of requests.
   * @throws DomainError 429
   */
  wait(): Promise<void>;
  /** Whether it must wait after all, because other answers of this path have become long meanwhile. */
  mustWait(): boolean;
  /** The request has used a database connection for so long. */
  worked(ms: number): void;
}

/** Paces the body of a request, too. */
export interface RequestPace extends AnswerPace {
  /**
   * Waits until the organization may send a body of so many bytes, which share the rate of its long answers.
   * @throws DomainError 429
   */
  receive(bytes: number): Promise<void>;
}

/** Gives a connection back that was lent before the request must wait. */
class MustWait extends Error {}

declare const minted: unique symbol;

/**
 * The right to one organization's rows, and the actor who uses it. Every store function takes it as
 * its first parameter. Only this file creates it, so a query without a tenant does not compile.
 */
export interface Tenant {
  readonly [minted]: true;
  readonly orgId: OrgId;
  readonly actor: Actor;
  /** Address of the request's client; null for jobs. Stored in audit events. */
  readonly address: string | null;
  /**
   * Reads, or one statement that writes, on a connection walled to this organization.
   * @param options `through` as for `transaction`; `isUrgent` and `actorKey` as for `Turn`
   */
  connection<T>(use: (connection: TenantConnection) => Promise<T>, options?: Turn): Promise<T>;
  /**
   * Reads what costs more the more the organization stores (shared-runs.ts). The result is shared with
   * requests of others, so `read` must depend on the organization and `key` only: its tenant is the system.
   * A person whose request took longer than half a second is checked again before the result is returned.
   * @param key a name, and all values of the statements
   * @throws DomainError 401 or 403, as a new request would be answered; 429
   */
  sharedRead<T>(
    key: readonly [string, ...unknown[]],
    read: (connection: TenantConnection) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs `use` in one transaction: all or nothing, the audit event included. Transactions of people
   * and SCIM tokens check at the end, together with the commit, that the session, membership, and
   * permission, or the token, are still valid, because a body, a slow host, or a lock may have
   * taken long. A use that waited half a second for its connection is checked before it begins,
   * too; this includes reads and the work of members' sockets. Jobs and guests have no authority
   * that ends this way (authority.ts).
   * @param options `through`: another queue to pass while holding the tenant's share of connections.
   *   `isAboutSelf`: what a member's socket says of its own person, such as an answer to the question of consent, is
   *   not checked at the end: it counts even if the person is removed meanwhile. `overrulesLocks`: what holds the locks of a revocation is canceled before it would be
   *   refused (overrule-locks.ts)
   * @throws DomainError 401 or 403, as a new request would be answered
   */
  transaction<T>(
    use: (transaction: TenantConnection) => Promise<T>,
    options?: { through?: Gate | undefined; isAboutSelf?: boolean; overrulesLocks?: boolean },
  ): Promise<T>;
  /**
   * Like `transaction`, for changes that may end the actor's own authority. The authority is
   * checked once `lock` holds the rows through which others would end it. At the end, only a
   * session that stays is checked.
   * @param ends the person's own role, as by a role change, or their session, as by a removal
   */
  transactionEndingOwn<T>(
    ends: 'role' | 'session',
    lock: (transaction: TenantConnection) => Promise<unknown>,
    use: (transaction: TenantConnection) => Promise<T>,
  ): Promise<T>;
  /**
   * Continues a transaction of another organization as this one, until its end: for a change of both
   * organizations or of neither. From then on, row-level security allows only this organization's rows, so
   * `other` must not be used any more.
   */
  continueTransaction<T>(
    other: TenantConnection,
    use: (transaction: TenantConnection) => Promise<T>,
  ): Promise<T>;
  /** The condition that must still hold when a transaction commits. */
  readonly check: Check | null;
}

const sharedRuns = new SharedRuns();

// Undone with the end of the transaction: the connection then names the tenant that it was lent for.
const continueAs: Statement = {
  name: 'continue_as_tenant',
  text: "select set_config('app.tenant', $1, true)",
};

/** A connection borrowed for one tenant. */
export interface TenantConnection extends Omit<Connection, 'query'> {
  readonly tenant: Tenant;
}

/**
 * Returns the tenant of the actor's organization. The actor must belong to one.
 * @param by a person's authority; a token is its own authority
 * @param pace of the request's answer, which is waited for before a connection is
 */
export function tenantOf(
  database: Database,
  actor: Exclude<Actor, UserActor>,
  address: string | null,
  by?: null,
  pace?: AnswerPace,
): Tenant;
export function tenantOf(
  database: Database,
  actor: Actor,
  address: string | null,
  by: Authority,
  pace?: AnswerPace,
): Tenant;
export function tenantOf(
  database: Database,
  actor: Actor,
  address: string | null,
  by: Authority | null = null,
  pace?: AnswerPace,
): Tenant {
  const check = checkOf(actor, by);
  const actorKey = keyOf(actor);
  const lateCheck = lateCheckOf(actor, by);
  let hasCommitted = false;
  const lend = <T>(use: (connection: TenantConnection) => Promise<T>) => {
    const askedAt = performance.now();
    return async ({ db, prepared, run }: Connection) => {
      if (!hasCommitted && pace?.mustWait()) throw new MustWait();
      const isLate = performance.now() - askedAt > lateMs;
      if (isLate && lateCheck) await run(lateCheck.statement, lateCheck.values);
      const startedAt = performance.now();
      try {
        return await use({ db, prepared, run, tenant });
      } finally {
        pace?.worked(performance.now() - startedAt);
      }
    };
  };
  /** Waits without a connection or a share of them, so that the organization's other work goes on. */
  const paced = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      // A client that is refused after its change was saved would send the change again.
      if (!hasCommitted) await pace?.wait();
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof MustWait)) throw error;
      }
    }
  };
  const committing = async <T>(transaction: () => Promise<T>): Promise<T> => {
    const result = await paced(transaction);
    hasCommitted = true;
    return result;
  };
  const tenant = {
    orgId: actor.orgId,
    actor,
    address,
    check,
    connection: (use, turn = {}) => {
      const lent = lend(use);
      return paced(() => database.connection(actor.orgId, lent, { actorKey, ...turn }));
    },
    sharedRead: (key, read) =>
      paced(async () => {
        const askedAt = performance.now();
        const { orgId } = actor;
        // Not as the first who asked, whose removal is not for the others to be refused for.
        const system = tenantOf(database, { kind: 'system', name: 'shared-reads', orgId }, null);
        const result = await sharedRuns.run({ orgId, actorKey }, JSON.stringify(key), (through) =>
          system.connection(read, { through }),
        );
        if (!hasCommitted && pace?.mustWait()) throw new MustWait();
        if (lateCheck && performance.now() - askedAt > lateMs) {
          const { statement, values } = lateCheck;
          await database.connection(orgId, ({ run }) => run(statement, values), { actorKey });
        }
        return result;
      }),
    transaction: (use, { through, isAboutSelf, overrulesLocks } = {}) => {
      const lent = lend(
        overrulesLocks ? (tx) => overruleLocksAtLast(database, tx, () => use(tx)) : use,
      );
      const turn = { actorKey, through, check: isAboutSelf ? check : lateCheck };
      return committing(() => database.transaction(actor.orgId, lent, turn));
    },
    transactionEndingOwn: (ends, lock, use) => {
      const lockedUse = async (tx: TenantConnection) => {
        await lock(tx);
        if (check) await tx.run(check.statement, check.values);
        return use(tx);
      };
      const lastCheck = ends === 'role' ? checkOf(actor, by, { anyRole: true }) : null;
      const turn = { actorKey, check: lastCheck };
      const lent = lend(lockedUse);
      return committing(() => database.transaction(actor.orgId, lent, turn));
    },
    continueTransaction: async ({ db, prepared, run }, use) => {
      await run(continueAs, [actor.orgId]);
      const result = await use({ db, prepared, run, tenant });
      if (check) await run(check.statement, check.values);
      return result;
    },
  } as Tenant; // the only place that sets the brand
  return tenant;
}

/**
 * Checks again that the actor is still authorized. Used before each page of a long answer.
 * @throws DomainError 401, 403
 */
export async function requireStillMay(tenant: Tenant): Promise<void> {
  const { check } = tenant;
  if (check) await tenant.connection(({ run }) => run(check.statement, check.values));
}

/** The acting account, for columns such as `created_by`; null for guests, tokens, and jobs. */
export const actingAccount = (tenant: Tenant) =>
  tenant.actor.kind === 'user' ? tenant.actor.accountId : null;

/**
 * Returns the key under which an actor takes turns for a connection. The guests of a room share one
 * key, because a link admits any number of guests.
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
