import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#server/testing/free-port.ts';
import { newcomer, person, signInAs } from './person.ts';
import {
  cannotMount,
  cleanUp,
  newDataDir,
  postgresIn,
  type Run,
  run,
  until,
} from './run-program.ts';

afterAll(cleanUp);

/** A data folder with an account, of a program that was stopped. */
const lived = newDataDir();
beforeAll(async () => {
  const program = await run(lived);
  await program.ready();
  await person(program.url);
  program.child.kill('SIGTERM');
  await program.ended;
});
function copy(): string {
  const dataDir = newDataDir();
  cpSync(lived, dataDir, { recursive: true });
  return dataDir;
}

/** One test after the other starts on this folder, and is refused or stopped; the last one looks for its data. */
let tried: string;
beforeAll(() => {
  tried = copy();
});

/** The program ends with one message for people, without a stack, and leaves no process running. */
async function refuses(program: Run, dataDir: string, sentence: RegExp): Promise<void> {
  expect(await program.ended).toBe(1);
  expect(program.output()).toMatch(sentence);
  expect(program.output()).not.toMatch(/^\s+at .*:\d+/m);
  expect(program.output()).not.toContain('Rapport is ready');
  expect(postgresIn(dataDir)).toEqual([]);
}

/** Starts the program, and checks that the earlier account exists. */
async function startsWithItsData(dataDir: string): Promise<void> {
  const program = await run(dataDir);
  await program.ready();
  // Not by registering, which would hide that the account is gone.
  expect(await signInAs(newcomer, program.url)).toMatchObject({ email: newcomer.email });
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe(0);
}

const filesOf = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();

async function withDatabase<T>(
  dataDir: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    host: join(dataDir, 'postgres-socket'),
    user: 'postgres',
    password: readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim(),
    database: 'rapport',
  });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

test('a port in use is reported in a sentence, and the data folder is free afterwards', async () => {
  const holder = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve));
  const program = await run(tried, { PORT: String(port) });
  await refuses(program, tried, new RegExp(`Port ${port} is taken by another program`));
  expect(existsSync(join(tried, 'server.lock'))).toBe(false);
  await new Promise((resolve) => holder.close(resolve));
});

test('a second start on the same data folder is refused, and the first keeps running', async () => {
  const dataDir = copy();
  const first = await run(dataDir);
  await first.ready();
  const second = await run(dataDir);
  expect(await second.ended).toBe(1);
  expect(second.output()).toMatch(/already running on .* \(process \d+\)\. Stop that one first/);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  expect(await person(first.url)).toMatchObject({ cookie: expect.stringMatching(/./) });
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
});

test('the data folder of a newer version is refused and left unchanged', async () => {
  const dataDir = copy();
  const newer = await run(dataDir);
  await newer.ready();
  await withDatabase(dataDir, async (client) => {
    await client.query('alter table rooms rename column topic to subject');
    await client.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)`,
    );
  });
  newer.child.kill('SIGTERM');
  await newer.ended;

  const older = await run(dataDir);
  await refuses(older, dataDir, /made by a newer version of Rapport, and is left untouched/);
  // The newer version must find its data unchanged.
  const again = await run(dataDir, { PORT: '1' });
  await again.ended;
  const held = await import('#server/platform/embedded-postgres/start.ts');
  const own = await held.startEmbeddedPostgres({ dataDir, log: () => undefined });
  const left = await withDatabase(dataDir, async (client) => {
    const newest = await client.query<{ hash: string }>(
      'select hash from drizzle.__drizzle_migrations order by id desc limit 1',
    );
    const columns = await client.query(
      `select column_name from information_schema.columns where table_name = 'rooms' and column_name in ('topic', 'subject')`,
    );
    const accounts = await client.query('select email from accounts');
    return [newest.rows, columns.rows, accounts.rows];
  });
  await own.stop();
  expect(left).toEqual([
    [{ hash: 'later' }],
    [{ column_name: 'subject' }],
    [{ email: 'ada@example.com' }],
  ]);
});

test.each([
  [
    'a garbled control file',
    (cluster: string) => writeFileSync(join(cluster, 'global/pg_control'), 'x'.repeat(8192)),
  ],
  [
    'a garbled catalog',
    (cluster: string) => {
      const [database] = readdirSync(join(cluster, 'base')).filter((name) => Number(name) > 16000);
      const file = join(cluster, 'base', `${database}`, '1259');
      writeFileSync(file, Buffer.alloc(statSync(file).size, 'x'));
    },
  ],
])('a data folder with %s is reported, and nothing is deleted', async (_, damage) => {
  const dataDir = copy();
  damage(join(dataDir, 'postgres'));
  const before = filesOf(dataDir).filter((file) => !/pg_internal\.init|pgstat/.test(file));
  const program = await run(dataDir);
  expect(await program.ended).toBe(1);
  expect(program.output()).toMatch(/database in .* cannot be opened: .*Nothing was deleted/);
  expect(program.output()).not.toMatch(/^\s+at .*:\d+/m);
  const after = filesOf(dataDir);
  expect(before.filter((file) => !after.includes(file))).toEqual([]);
  expect(postgresIn(dataDir)).toEqual([]);
});

test('a damaged secret is refused with its file name: anyone could sign with an empty one', async () => {
  const file = join(tried, 'secret-key');
  const secret = readFileSync(file);
  writeFileSync(file, '');
  try {
    await refuses(await run(tried), tried, /secret in .*secret-key is damaged/);
  } finally {
    writeFileSync(file, secret);
  }
});

test('a file in place of the data folder is refused', async () => {
  const dataDir = newDataDir();
  writeFileSync(dataDir, 'not a folder');
  await refuses(await run(dataDir), dataDir, /cannot write to .*DATA_DIR/);
  expect(readFileSync(dataDir, 'utf8')).toBe('not a folder');
});

test.each([
  ['PORT', 'abc'],
  ['PUBLIC_URL', 'calls.example.com'],
  ['DATABASE_URL', 'nonsense'],
  ['LOG_LEVEL', 'loud'],
  ['STUN_URL', 'stun.example.com'],
  ['TRUSTED_PROXIES', 'the proxy'],
])('%s=%s is named in a sentence, before anything is opened', async (name, value) => {
  const dataDir = newDataDir();
  await refuses(
    await run(dataDir, { PORT: '0', [name]: value }),
    dataDir,
    new RegExp(`  ${name}: .*\n`),
  );
  expect(existsSync(dataDir)).toBe(false);
});

test('certificates that cannot be read are named', async () => {
  const dataDir = newDataDir();
  const env = { TLS_CERT: '/no/cert.pem', TLS_KEY: '/no/key.pem' };
  await refuses(
    await run(dataDir, env),
    dataDir,
    /TLS_CERT: the file \/no\/cert\.pem cannot be read/,
  );
});

test('a database that does not answer is named, with its error', async () => {
  const dataDir = newDataDir();
  const port = await freePort();
  const env = { DATABASE_URL: `postgres://x:y@127.0.0.1:${port}/z` };
  await refuses(
    await run(dataDir, env),
    dataDir,
    /database of DATABASE_URL cannot be used: .*ECONNREFUSED/,
  );
});

test('a read-only data folder is refused, whether new or used', async ({ skip }) => {
  if (cannotMount) skip(cannotMount);
  const readOnly = (folder: string) =>
    `mount --bind '${folder}' '${folder}'; mount -o remount,bind,ro '${folder}'`;
  await refuses(await run(tried, {}, readOnly(tried)), tried, /cannot write to .*DATA_DIR/);
  const fresh = newDataDir();
  await refuses(
    await run(fresh, {}, readOnly(dirname(fresh))),
    fresh,
    /cannot write to .*DATA_DIR/,
  );
});

test('a full disk is reported at the start', async ({ skip }) => {
  if (cannotMount) skip(cannotMount);
  const dataDir = newDataDir();
  mkdirSync(dataDir);
  const program = await run(dataDir, {}, `mount -t tmpfs -o size=20m none '${dataDir}'`);
  await refuses(program, dataDir, /disk that holds .* is full.*nothing was deleted/);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops it in order: code 0, no PostgreSQL left',
  async (signal) => {
    const program = await run(tried);
    await program.ready();
    expect(postgresIn(tried).length).toBeGreaterThan(0);
    program.child.kill(signal);
    expect(await program.ended).toBe(0);
    expect(program.output()).toMatch(/Stopping .*\nStopped\.\n$/s);
    expect(postgresIn(tried)).toEqual([]);
    expect(existsSync(join(tried, 'server.lock'))).toBe(false);
    expect(readFileSync(join(tried, 'postgres.log'), 'utf8')).toMatch(
      /database system is shut down\n$/,
    );
  },
);

test('a signal during the start leaves no PostgreSQL behind either', async () => {
  const program = await run(tried);
  await until(() => postgresIn(tried).length > 0);
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(postgresIn(tried)).toEqual([]);
});

test('when its PostgreSQL dies the program reports it and ends, to be restarted', async () => {
  const program = await run(tried, { LOG_LEVEL: 'fatal' });
  await program.ready();
  const [postmaster] = readFileSync(join(tried, 'postgres/postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  expect(await program.ended).toBe(1);
  expect(program.output()).toMatch(/database ended unexpectedly.*postgres\.log/);
});

test('all of this left the data as it was', () => startsWithItsData(tried));
