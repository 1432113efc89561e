import pg from 'pg';
import type { Logger } from 'pino';
import type { OrgId } from '#domain/ids.ts';
import { asLostAuthority } from './database-errors.ts';
import { type Drizzle, drizzle } from './drizzle.ts';
import { FairQueue } from './fair-queue.ts';
import { TenantShares } from './tenant-shares.ts';

/** A query that is compiled once a connection: give it as a constant, so that it can be found again. */
export type Prepare<P> = (db: Drizzle) => P;

/** A connection that is lent out for one use or one transaction. */
export interface Connection {
  readonly db: Drizzle;
  /** The prepared form of `prepare` on this connection. */
  prepared<P>(prepare: Prepare<P>): P;
  /** Runs SQL as it is written, prepared under its name: the database's functions, and hot paths. */
  run<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Runs SQL of a library that brings its own (the job queue). */
  query(text: string, values: unknown[]): Promise<{ rows: pg.QueryResultRow[] }>;
}

/** `name` is unique in the program: PostgreSQL keeps the plan under it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement that fails where a transaction must not be committed (authority.ts). */
export interface Check {
  readonly statement: Statement;
  readonly values: unknown[];
}

export interface Database {
  /**
   * Lends a connection whose row-level security lets through `tenant`'s rows alone. No transaction:
   * for reads, and for writes of a single statement.
   * `outside` is for what belongs to no tenant (accounts, sessions, the functions that ask before a
   * tenant is known): no tenant's rows come through, whoever used the connection before.
   */
  connection<T>(
    tenant: OrgId | 'outside',
    use: (connection: Connection) => Promise<T>,
    options?: Turn,
  ): Promise<T>;
  /**
   * The same within a transaction: committed when `use` resolves, rolled back when it throws, or when
   * `check` fails, which is the last statement.
   * @throws as `asLostAuthority` answers, where `check` fails
   */
  transaction<T>(
    tenant: OrgId | 'outside',
    use: (connection: Connection) => Promise<T>,
    options?: Turn & { check?: Check | null },
  ): Promise<T>;
  /**
   * Runs a statement about the session of a request, before anything else is known of the request. Such
   * statements have connections of their own, which name no tenant, and must wait for no lock.
   */
  lookUp<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Statements sent and round trips waited for since the start, for the benchmarks. */
  readonly counts: { statements: number };
  close(): Promise<void>;
}

/** How a use waits for its connection. */
export interface Turn {
  /** Whose turn it takes: the actors of a tenant take turns. */
  actorKey?: string;
  /** Another queue, to go through with the tenant's share taken, and before a connection is. */
  through?: Gate | undefined;
  /**
   * Takes no part of the tenant's share, which its own work may have used up. For few short reads that wait
   * for no lock: what a revocation has ended must be found within a second.
   */
  isUrgent?: boolean | undefined;
}
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

const enterTenant: Statement = {
  name: 'enter_tenant',
  text: "select set_config('app.tenant', $1, false)",
};

/**
 * To run first in a transaction that may take long, like the removal of an organization: statements
 * then have ten minutes. Locks are waited for no longer than elsewhere.
 */
export const takesLong: Statement = {
  name: 'takes_long',
  text: "select set_config('statement_timeout', '10min', true)",
};

/**
 * How long a statement may run, wait for a lock, and leave a transaction idle, in milliseconds. Past it
 * PostgreSQL ends the statement, or the connection, and the request is answered 503 or 409.
 */
export const requestTimeouts = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
} satisfies pg.PoolConfig;

const mostConnections = 20;
/** Besides those. */
const mostLookUps = 4;
/** Of a pool's connections: the rest is for what belongs to no tenant, such as looking up sessions. */
const sharesOf = (connections: number) => {
  const partOf = (part: number) =>
    Math.max(Math.floor(connections * part), Math.min(2, connections));
  return { atOnce: partOf(0.8), perTenant: partOf(0.4), perActor: partOf(0.2) };
};

interface Lent extends Connection {
  client: pg.PoolClient;
  tenant: OrgId | null;
  /** Why the connection was lost, once it was. */
  lost: Error | null;
}

/** Opens the application's pool. `config` is the login of the role that owns nothing. */
export function openDatabase(config: pg.PoolConfig, log: Logger): Database {
  let closing = false;
  const openPool = (max: number) => {
    const opened = new pg.Pool({
      idleTimeoutMillis: 60_000,
      ...config,
      max,
      pipeline: true,
    } satisfies pg.PoolConfig & { pipeline: boolean });
    // Without a listener an idle connection's end would end the process.
    opened.on('error', (error) => {
      if (!closing) log.warn({ err: error }, 'a database connection was lost');
    });
    return opened;
  };
  const connections = config.max ?? mostConnections;
  const pool = openPool(connections);
  const lookUps = openPool(mostLookUps);
  const counts = { statements: 0 };
  const known = new WeakMap<pg.PoolClient, Lent>();
  const { atOnce, ...ofTenant } = sharesOf(connections);
  const shares = new TenantShares(ofTenant);
  const turns = new FairQueue({
    atOnce,
    perKey: ofTenant.perTenant,
    mostWaiting: Number.POSITIVE_INFINITY,
  });

  /**
   * Lends a connection for one use. First the tenant's own share is waited for, then the gate, and last
   * the tenant's turn among all: what others use is held by none who still waits.
   */
  async function lend<T>(
    tenant: OrgId | 'outside',
    { actorKey: actor = '', through, isUrgent }: Turn,
    use: (lent: Lent) => Promise<T>,
  ): Promise<T> {
    const isOutside = tenant === 'outside';
    if (isUrgent || (isOutside && !actor)) return use(await borrow());
    const work = isOutside
      ? async () => use(await borrow())
      : () => turns.run(tenant, async () => use(await borrow()));
    // Outside of the tenants each account has a share of its own.
    const holder = isOutside ? `outside ${actor}` : tenant;
    const share = shares.take(holder, actor);
    if (share) await share;
    try {
      return await (through ? through(work) : work());
    } finally {
      shares.giveBack(holder, actor);
    }
  }

  async function borrow(): Promise<Lent> {
    const client = await pool.connect();
    const found = known.get(client);
    if (found) return found;
    const db = drizzle(client);
    const prepared = new Map<Prepare<unknown>, unknown>();
    const made: Lent = {
      client,
      tenant: null,
      lost: null,
      db,
      prepared: <P>(prepare: Prepare<P>) => {
        if (!prepared.has(prepare)) prepared.set(prepare, prepare(db));
        // The map keeps under each key what that very key made.
        return prepared.get(prepare) as P;
      },
      run: async <Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]) => {
        const result = await client.query<Row>({ ...statement, values });
        return result.rows;
      },
      // Several statements at once go only without values, by the simple protocol.
      query: (text, values) => (values.length ? client.query(text, values) : client.query(text)),
    };
    // Lent between two queries it would end the process. What PostgreSQL said last is told to the user.
    client.on('error', (error) => {
      made.lost ??= error;
    });
    const query = client.query.bind(client);
    client.query = ((...args: Parameters<typeof query>) => {
      counts.statements += 1;
      return query(...args);
    }) as typeof client.query;
    known.set(client, made);
    return made;
  }

  /**
   * Names the tenant on the connection, or none, only where it changes. It goes out ahead of the next
   * statement without being waited for; should it fail, that statement's answer is thrown away with the
   * connection.
   */
  function enter(lent: Lent, tenant: OrgId | 'outside'): Promise<unknown> {
    const next = tenant === 'outside' ? null : tenant;
    if (lent.tenant === next) return Promise.resolve();
    lent.tenant = next;
    return lent.client.query({ ...enterTenant, values: [next ?? ''] });
  }

  /** A connection within a transaction that its user did not end would mix it into the next user's work. */
  function giveBack({ client }: Lent, broken: Error | undefined): void {
    client.release(broken ?? client.getTransactionStatus() !== 'I');
  }

  async function onConnection<T>(
    lent: Lent,
    tenant: OrgId | 'outside',
    use: (connection: Connection) => Promise<T>,
  ) {
    let broken: Error | undefined;
    try {
      const entered = enter(lent, tenant);
      entered.catch((error: Error) => {
        broken = error;
      });
      const result = await use(lent);
      await entered;
      return result;
    } catch (error) {
      // A refused statement is heard of before the state that it leaves behind: this waits for both.
      await lent.client.query('').catch(() => undefined);
      throw asLostAuthority(error) ?? error;
    } finally {
      giveBack(lent, broken);
    }
  }

  async function inTransaction<T>(
    lent: Lent,
    tenant: OrgId | 'outside',
    use: (connection: Connection) => Promise<T>,
    check: Check | null,
  ) {
    let broken: Error | undefined;
    try {
      const entered = Promise.all([enter(lent, tenant), lent.client.query('begin')]);
      entered.catch((error: Error) => {
        broken = error;
      });
      try {
        const result = await use(lent);
        await entered;
        // One round trip for both: behind a check that has failed, `commit` rolls back.
        await Promise.all([
          check && lent.run(check.statement, check.values),
          lent.client.query('commit'),
        ]);
        return result;
      } catch (error) {
        await lent.client.query('rollback').catch((failure: Error) => {
          broken = failure;
        });
        throw lent.lost ?? asLostAuthority(error) ?? error;
      }
    } finally {
      giveBack(lent, broken);
    }
  }

  async function lookUp<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]) {
    counts.statements += 1;
    const { rows } = await lookUps.query<Row>({ ...statement, values });
    return rows;
  }

  async function close(): Promise<void> {
    closing = true;
    await Promise.all([pool.end(), lookUps.end()]);
  }

  return {
    connection: (tenant, use, turn = {}) =>
      lend(tenant, turn, (lent) => onConnection(lent, tenant, use)),
    transaction: (tenant, use, { check = null, ...turn } = {}) =>
      lend(tenant, turn, (lent) => inTransaction(lent, tenant, use, check)),
    lookUp,
    counts,
    close,
  };
}
