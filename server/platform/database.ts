import pg from 'pg';
import type { Logger } from 'pino';
import type { OrgId } from '#domain/ids.ts';
import { asLostAuthority } from './database-errors.ts';
import { type Drizzle, drizzle } from './drizzle.ts';
import { FairQueue } from './fair-queue.ts';
import { outsideTurns } from './outside-turns.ts';
import { mostConnections, mostInBackground, mostLookUps, sharesOf } from './pool-sizes.ts';
import { TenantShares } from './tenant-shares.ts';

/** A query that is compiled once per connection. Pass a constant, because the function is the cache key. */
export type Prepare<P> = (db: Drizzle) => P;

/** A connection borrowed for one use or one transaction. */
export interface Connection {
  readonly db: Drizzle;
  /** Returns the prepared form of `prepare` on this connection. */
  prepared<P>(prepare: Prepare<P>): P;
  /** Runs SQL text, prepared under its name. For the database's functions and hot paths. */
  run<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Runs SQL of a library that brings its own (the job queue). */
  query(text: string, values: unknown[]): Promise<{ rows: pg.QueryResultRow[] }>;
}

/** `name` must be unique in the program, because PostgreSQL stores the plan under it. */
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
   * Runs `use` on a connection whose row-level security admits only `tenant`'s rows. There is no
   * transaction: it is for reads, and for writes of a single statement.
   * `outside` is for data of no tenant (accounts, sessions, the functions that run before a tenant
   * is known). It admits no tenant's rows, whatever tenant used the connection before.
   */
  connection<T>(
    tenant: OrgId | 'outside',
    use: (connection: Connection) => Promise<T>,
    options?: Turn,
  ): Promise<T>;
  /**
   * Like `connection`, within a transaction. It commits when `use` resolves, and rolls back when
   * `use` throws or when `check`, the last statement, fails.
   * @throws the error of `asLostAuthority` when `check` fails
   */
  transaction<T>(
    tenant: OrgId | 'outside',
    use: (connection: Connection) => Promise<T>,
    options?: Turn & { check?: Check | null },
  ): Promise<T>;
  /**
   * Runs a statement about a request's session, before anything else about the request is known.
   * Such statements use separate connections that name no tenant, in turns of the networks, and must not wait for a lock.
   */
  lookUp<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /**
   * For statements that look for due work, again and again. They use a few separate connections that name no
   * tenant, so that not every connection's process keeps their plans, and must not wait for a lock.
   */
  background<T>(use: (connection: Connection) => Promise<T>): Promise<T>;
  /** Statements sent and round trips awaited since the start, for the benchmarks. */
  readonly counts: { statements: number };
  close(): Promise<void>;
}

/** How a use waits for its connection. */
export interface Turn {
  /** The actor whose turn this use takes: the actors of a tenant take turns. */
  actorKey?: string;
  /** Another queue to pass after the tenant's share is taken and before a connection is. */
  through?: Gate | undefined;
  /**
   * Takes no part of the tenant's share, which its own work may have used up. For short statements, few at a
   * time, whose rows no long work locks: what a revocation has ended must be found, and noted, within a second.
   */
  isUrgent?: boolean | undefined;
  /** Outside of the tenants: a sender who has proved who it is, and who asks for one short statement. */
  isProved?: boolean | undefined;
}
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

const enterTenant: Statement = {
  name: 'enter_tenant',
  text: "select set_config('app.tenant', $1, false)",
};

interface Lent extends Connection {
  client: pg.PoolClient;
  tenant: OrgId | null;
  /** The error with which the connection was lost, if it was. */
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
    // Compiling a statement takes half a second, on each connection. The longest takes a tenth of that.
    opened.on('connect', (client) => {
      client.query('set jit = off').catch((error: Error) => {
        if (!closing) log.warn({ err: error }, 'just-in-time compilation could not be turned off');
      });
    });
    // Without a listener, the end of an idle connection would end the process.
    opened.on('error', (error) => {
      if (!closing) log.warn({ err: error }, 'a database connection was lost');
    });
    return opened;
  };
  const connections = config.max ?? mostConnections;
  const pool = openPool(connections);
  const lookUps = openPool(mostLookUps);
  const repeated = openPool(mostInBackground);
  const counts = { statements: 0 };
  const known = new WeakMap<pg.PoolClient, Lent>();
  const { inTurn, ofAccount, ofLookUp, holding } = outsideTurns(connections);
  const { atOnce, urgentAtOnce, ...ofTenant } = sharesOf(connections);
  const shares = new TenantShares(ofTenant);
  const turns = new FairQueue({
    atOnce,
    perKey: ofTenant.perTenant,
    mostWaiting: Number.POSITIVE_INFINITY,
  });

  // Callers are to ask few at a time. A caller that asks for many must not take all connections.
  const urgent = new FairQueue({
    atOnce: urgentAtOnce,
    perKey: Math.ceil(urgentAtOnce / 2),
    mostWaiting: Number.POSITIVE_INFINITY,
  });

  /**
   * Lends a connection for one use. It waits for the tenant's own share first, then for the gate, and last for the
   * tenant's turn among all tenants, so that a waiting use never holds a shared resource.
   */
  async function lend<T>(
    tenant: OrgId | 'outside',
    { actorKey: actor = '', through, isUrgent, isProved }: Turn,
    given: (lent: Lent) => Promise<T>,
    kind: 'read' | 'change',
  ): Promise<T> {
    const isOutside = tenant === 'outside';
    const use = holding(given);
    if (isUrgent) return urgent.run(tenant, async () => use(await borrow()));
    if (isOutside && !actor) return inTurn(isProved ? null : kind, async () => use(await borrow()));
    const work = isOutside
      ? () => ofAccount(actor, async () => use(await borrow()))
      : () => turns.run(tenant, async () => use(await borrow()));
    // Outside of the tenants, each account has its own share.
    const holder = isOutside ? `outside ${actor}` : tenant;
    const share = shares.take(holder, actor);
    if (share) await share;
    try {
      return await (through ? through(work) : work());
    } finally {
      shares.giveBack(holder, actor);
    }
  }

  async function borrow(from = pool): Promise<Lent> {
    const client = await from.connect();
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
        // The map stores under each key the value that this key created.
        return prepared.get(prepare) as P;
      },
      run: async <Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]) => {
        const result = await client.query<Row>({ ...statement, values });
        return result.rows;
      },
      // Several statements in one query are possible only without values, by the simple protocol.
      query: (text, values) => (values.length ? client.query(text, values) : client.query(text)),
    };
    // Without a listener, an error between two queries would end the process. The user gets the first error.
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
   * Sets the tenant of the connection, or clears it, only when it changes. The statement is sent ahead of the next one
   * without awaiting it. If it fails, the result of the next one is discarded with the connection.
   */
  function enter(lent: Lent, tenant: OrgId | 'outside'): Promise<unknown> {
    const next = tenant === 'outside' ? null : tenant;
    if (lent.tenant === next) return Promise.resolve();
    lent.tenant = next;
    return lent.client.query({ ...enterTenant, values: [next ?? ''] });
  }

  /** A connection whose transaction was left open would mix it into the next user's work. */
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
      // The error of a refused statement arrives before the connection's new state. The empty query waits for both.
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
        // One round trip for both: after a failed check, `commit` rolls back.
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
    const { rows } = await ofLookUp(() => lookUps.query<Row>({ ...statement, values }));
    return rows;
  }

  return {
    connection: (tenant, use, turn = {}) =>
      lend(tenant, turn, (lent) => onConnection(lent, tenant, use), 'read'),
    transaction: (tenant, use, { check = null, ...turn } = {}) =>
      lend(tenant, turn, (lent) => inTransaction(lent, tenant, use, check), 'change'),
    lookUp,
    background: async (use) => onConnection(await borrow(repeated), 'outside', use),
    counts,
    close: async () => {
      closing = true;
      await Promise.all([pool.end(), lookUps.end(), repeated.end()]);
    },
  };
}
