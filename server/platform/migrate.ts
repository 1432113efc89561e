import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { buildIndexes } from './build-indexes.ts';
import { countCallsOfRooms } from './count-calls-of-rooms.ts';
import { drizzle, migrate as runMigrations } from './drizzle.ts';

const folder = join(import.meta.dirname, '../migrations');
const journal: { entries: { when: number; tag: string }[] } = JSON.parse(
  readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
);
/** Creation time of this version's newest migration, as the database stores it. */
export const newestMigration = Math.max(...journal.entries.map((entry) => entry.when));
/** An arbitrary number, the same in every process, so that processes migrate one after the other. */
const migrationLock = 7_203_001;

export class NewerDatabaseError extends Error {
  constructor() {
    super(
      'This database was made by a newer version of Rapport, and is left untouched. ' +
        'Start that version, or give this one another DATA_DIR or DATABASE_URL.',
    );
    this.name = 'NewerDatabaseError';
  }
}

/** The role that the application connects as. It owns nothing. */
export interface AppRole {
  name: string;
  password: string;
}

/**
 * Migrates the database to this version and grants access to the application's role. Safe to run in
 * several processes at the same time. `owner` needs the rights to create tables and roles.
 * @throws NewerDatabaseError when the database is ahead of this version; nothing was changed
 */
export async function migrateDatabase(owner: pg.ClientConfig, role: AppRole): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await lockMigrations(client);
    await refuseNewer(client);
    await runMigrations(drizzle(client), { migrationsFolder: folder });
    await buildIndexes(client);
    await countCallsOfRooms(client);
    await letIn(client, role);
  } finally {
    await client.end();
  }
}

/** Asks again and again: building an index waits for all statements, and so for one that waits for this lock. */
async function lockMigrations(client: pg.Client): Promise<void> {
  const lock = 'select pg_try_advisory_lock($1) as held';
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(lock, [migrationLock]);
    if (rows[0]?.held) return;
    await sleep(100);
  }
}

async function refuseNewer(client: pg.Client): Promise<void> {
  const table = await client.query<{ found: string | null }>(
    "select to_regclass('drizzle.__drizzle_migrations') as found",
  );
  if (!table.rows[0]?.found) return;
  const newest = await client.query<{ at: string | null }>(
    'select max(created_at) as at from drizzle.__drizzle_migrations',
  );
  if (Number(newest.rows[0]?.at ?? 0) > newestMigration) throw new NewerDatabaseError();
}

/**
 * Roles belong to the cluster, rights to the database. Partitions get no rights of their own: they
 * are accessed through their table, so that its row-level security applies. Views are only read. Audit events
 * can be added and read, never changed.
 */
async function letIn(client: pg.Client, role: AppRole): Promise<void> {
  const name = client.escapeIdentifier(role.name);
  const password = client.escapeLiteral(role.password);
  const found = await client.query('select 1 from pg_roles where rolname = $1', [role.name]);
  const verb = found.rowCount ? 'alter' : 'create';
  try {
    await client.query(
      `${verb} role ${name} login nosuperuser nobypassrls nocreatedb nocreaterole password ${password}`,
    );
  } catch (error) {
    throw new Error(
      `Rapport connects to its database as a role that owns nothing, and could not make it. ` +
        `Let the role of DATABASE_URL create roles (ALTER ROLE … CREATEROLE). PostgreSQL said: ${String(error)}`,
    );
  }
  const relations = await client.query<{ name: string; isView: boolean }>(
    `select quote_ident(relname) as name, relkind = 'v' as "isView" from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`,
  );
  const namesOf = (rows: typeof relations.rows) => rows.map((row) => row.name).join(', ');
  const tables = namesOf(relations.rows.filter(({ isView }) => !isView));
  await client.query(`
    grant usage on schema public to ${name};
    grant select on ${namesOf(relations.rows)} to ${name};
    grant insert, update, delete on ${tables} to ${name};
    revoke update, delete, truncate on audit_events from ${name};
    grant execute on all functions in schema public to ${name};
    -- They take any organization's id. Only triggers call them, as the owner.
    revoke execute on function emit_webhook_event, queue_crm_sync from ${name};
  `);
}
