import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { processNumbering } from './processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

// mkdtemp creates it with 0700, so as root these tests also cover a closed home.
const home = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
const ready = join(home, 'ready');
const running: EmbeddedPostgres[] = [];
let folders = 0;

function freshFolder(from?: string): string {
  folders += 1;
  const folder = join(home, `data-${folders}`);
  if (from) cpSync(from, folder, { recursive: true });
  return folder;
}

async function start(dataDir: string, lines: string[] = []): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
  running.push(started);
  return started;
}

async function query(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ ...server.connection, database: 'postgres', ssl: false });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ rowMode: 'array', text: sql });
    return rows.flat();
  } finally {
    await client.end();
  }
}

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

/** Starts another process that prints `started` and then waits to be killed. */
function startElsewhere(dataDir: string) {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./start.ts', import.meta.url).href)};
    const dataDir = ${JSON.stringify(dataDir)};
    const { connection } = await startEmbeddedPostgres({ dataDir, log: console.log });
    console.log(\`started \${connection.password}\`);
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

beforeAll(async () => {
  const server = await start(ready);
  await query(server, 'CREATE TABLE kept AS SELECT 7 AS seven');
  await server.stop();
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

afterAll(() => rmSync(home, { force: true, recursive: true }));

test('answers queries on a private socket, in UTF-8, with fsync, and keeps written data', async () => {
  const dataDir = freshFolder(ready);
  const server = await start(dataDir);
  expect(await query(server, 'SELECT seven FROM kept')).toEqual([7]);
  expect(await query(server, "SELECT upper('ä'), current_setting('fsync')")).toEqual(['Ä', 'on']);
  expect(await query(server, "SELECT current_setting('listen_addresses')")).toEqual(['']);
  expect(statSync(server.connection.host).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  const wrong = { ...server, connection: { ...server.connection, password: 'guess' } };
  await expect(query(wrong, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
});

test('refuses a second start on the same folder while the first keeps running', async () => {
  const dataDir = freshFolder(ready);
  const first = await start(dataDir);
  await expect(start(dataDir)).rejects.toMatchObject({
    message: expect.stringMatching(/already running on .*process \d+.*Stop that one first/),
    problem: 'in-use',
  });
  expect(await query(first, 'SELECT 1')).toEqual([1]);
  await first.stop();
  expect(existsSync(join(dataDir, 'server.lock'))).toBe(false);
});

test('after kill -9 of the server, a new start recovers PostgreSQL with everything committed', async () => {
  const dataDir = freshFolder(ready);
  const child = startElsewhere(dataDir);
  const [said] = await once(child.stdout, 'data');
  const host = join(dataDir, 'postgres-socket');
  const password = String(said).trim().replace('started ', '');
  const connection = { host, password, port: 5432, user: 'postgres' } as const;
  const orphaned = { connection, lost: new Promise<string>(() => {}), stop: async () => {} };
  await query(orphaned, 'INSERT INTO kept VALUES (8)');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const lines: string[] = [];
  const server = await start(dataDir, lines);
  expect(lines.join()).toMatch(/earlier run left behind/);
  expect(await query(server, 'SELECT seven FROM kept ORDER BY 1')).toEqual([7, 8]);
});

test('a start that was killed while it created the database is repeated from the beginning', async () => {
  const dataDir = freshFolder();
  const child = startElsewhere(dataDir);
  while (!existsSync(join(dataDir, 'postgres.new', 'base'))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  const server = await start(dataDir);
  expect(await query(server, 'SELECT 1')).toEqual([1]);
  expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
});

test('refuses the data of another PostgreSQL version and leaves it untouched', async () => {
  const dataDir = freshFolder(ready);
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  const before = everyFile(dataDir);
  await expect(start(dataDir)).rejects.toMatchObject({
    message: expect.stringMatching(/made by PostgreSQL 17.*Nothing was touched/),
    problem: 'other-version',
  });
  expect(everyFile(dataDir)).toEqual(before);
});

test.each([
  ['a missing file', (folder: string) => rmSync(join(folder, 'global/pg_control'))],
  [
    'a garbled file',
    (folder: string) => writeFileSync(join(folder, 'global/pg_control'), 'x'.repeat(8192)),
  ],
  ['a missing folder', (folder: string) => rmSync(join(folder, 'pg_xact'), { recursive: true })],
  [
    'a garbled catalog',
    (folder: string) => {
      const file = join(folder, 'base/5/1259');
      writeFileSync(file, Buffer.alloc(statSync(file).size, 'x'));
    },
  ],
])('reports a cluster with %s as damaged, and deletes nothing', async (_, damage) => {
  const dataDir = freshFolder(ready);
  damage(join(dataDir, 'postgres'));
  // PostgreSQL drops and rebuilds these caches at every start.
  const before = everyFile(dataDir).filter((file) => !/pg_internal\.init|pgstat/.test(file));
  await expect(start(dataDir)).rejects.toMatchObject({
    message: expect.stringMatching(/cannot be opened: .*Nothing was deleted.*postgres\.log/),
    problem: 'damaged',
  });
  const after = everyFile(dataDir);
  expect(before.filter((file) => !after.includes(file))).toEqual([]);
});

test('refuses a folder that a server in another container holds', async () => {
  const dataDir = freshFolder(ready);
  const lock = join(dataDir, 'server.lock');
  writeFileSync(lock, '7\n1\nanother container\n');
  const heartbeat = setTimeout(() => writeFileSync(lock, '7\n1\nanother container\n'), 300);
  await expect(start(dataDir)).rejects.toMatchObject({ problem: 'in-use' });
  clearTimeout(heartbeat);
});

test('takes over a lock whose process has ended, and replaces a stale postmaster.pid', async () => {
  const dataDir = freshFolder(ready);
  writeFileSync(join(dataDir, 'server.lock'), `999999999\n1\n${processNumbering()}\n`);
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n`);
  mkdirSync(join(dataDir, 'postgres-socket'), { mode: 0o700 });
  writeFileSync(join(dataDir, 'postgres-socket', '.s.PGSQL.5432.lock'), `${process.pid}\n`);
  const server = await start(dataDir);
  expect(await query(server, 'SELECT 1')).toEqual([1]);
});

test('works with a path that is too long for a socket and has special characters', async () => {
  const dataDir = join(freshFolder(), `a "b", c'd ü ${'long'.repeat(25)}`);
  cpSync(ready, dataDir, { recursive: true });
  const server = await start(dataDir);
  expect(await query(server, 'SELECT 1')).toEqual([1]);
  expect(server.connection.host.startsWith(dataDir)).toBe(false);
  await server.stop();
  expect(existsSync(server.connection.host)).toBe(false);
  const short = join(freshFolder(), `a "b", c'd`);
  cpSync(ready, short, { recursive: true });
  expect((await start(short)).connection.host).toBe(join(short, 'postgres-socket'));
});

test('a lost password file is created again', async () => {
  const dataDir = freshFolder(ready);
  rmSync(join(dataDir, 'postgres-password'));
  const server = await start(dataDir);
  expect(await query(server, 'SELECT seven FROM kept')).toEqual([7]);
});

test.runIf(process.getuid?.() === 0)(
  'root without user namespaces runs PostgreSQL as another user, or reports what to do',
  async () => {
    const path = process.env.PATH;
    const programs = join(home, 'programs');
    mkdirSync(programs);
    for (const name of ['sh', 'chown']) symlinkSync(`/bin/${name}`, join(programs, name));
    const dataDir = freshFolder();
    process.env.PATH = programs;
    try {
      await expect(start(dataDir)).rejects.toMatchObject({
        message: expect.stringMatching(/refuses to run as root.*as an ordinary user/),
        problem: 'cannot-run',
      });
      chmodSync(home, 0o711);
      const server = await start(dataDir);
      expect(await query(server, 'SELECT 1')).toEqual([1]);
      expect(statSync(join(dataDir, 'postgres')).uid).toBe(65534);
    } finally {
      process.env.PATH = path;
      chmodSync(home, 0o700);
    }
  },
);
