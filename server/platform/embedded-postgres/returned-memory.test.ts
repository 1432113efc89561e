import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'embedded-postgres-memory-'));
let server: EmbeddedPostgres;
beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const megabytes = (pid: number) =>
  Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

test.runIf(process.platform === 'linux')(
  'a connection’s process returns the memory of large values to the system',
  async () => {
    const client = new pg.Client({ ...server.connection, database: 'postgres', ssl: false });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]?.pid ?? 0;
    const before = megabytes(pid);
    for (const length of [4, 8, 16, 12]) {
      const values = ['x'.repeat(length * 2 ** 20)];
      await client.query('select length(upper($1::text))', values);
    }
    expect(megabytes(pid) - before).toBeLessThan(4);
    await client.end();
  },
);
