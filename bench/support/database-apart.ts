import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts';

/** An empty database that does not belong to the program which uses it. */
export interface DatabaseApart {
  url: string;
  close(): Promise<void>;
}

/** Returns that of BENCH_DATABASE_URL, or starts a PostgreSQL of the version that Rapport brings. */
export async function databaseApart(): Promise<DatabaseApart> {
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return { url: given, close: async () => {} };
  const dataDir = mkdtempSync(join(tmpdir(), 'rapport-apart-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { host, password, user } = server.connection;
  const url = `postgres://${user}:${password}@localhost/postgres?host=${encodeURIComponent(host)}`;
  return {
    url,
    async close() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
