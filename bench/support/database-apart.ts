import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts';

/** An empty database that does not belong to the program which uses it. */
export interface DatabaseApart {
  url: string;
  /** Such as "PostgreSQL 18.1". */
  version: string;
  close(): Promise<void>;
}

/** Returns that of BENCH_DATABASE_URL, or starts a PostgreSQL of the version that Rapport brings. */
export async function databaseApart(): Promise<DatabaseApart> {
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return { url: given, version: await versionOf(given), close: async () => {} };
  const dataDir = mkdtempSync(join(tmpdir(), 'rapport-apart-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { host, password, user } = server.connection;
  const url = `postgres://${user}:${password}@localhost/postgres?host=${encodeURIComponent(host)}`;
  return {
    url,
    version: await versionOf(url),
    async close() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function versionOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return `PostgreSQL ${rows[0]?.server_version.split(' ')[0]}`;
  } finally {
    await client.end();
  }
}
