import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#server/testing/free-port.ts';

export interface SystemPostgres {
  /** The login of its superuser, on 127.0.0.1. */
  url: string;
  /** The major version. */
  version: number;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

interface Installed {
  bin: string;
  version: number;
}
interface Owner {
  uid: number;
  gid: number;
}

const packages = '/usr/lib/postgresql';
const oldest = 15;
const newest = 18;
const patienceSeconds = 30;

/**
 * Starts Debian's PostgreSQL on a temporary cluster. The server tests run on it, too, since people
 * can use their own PostgreSQL with DATABASE_URL.
 * @returns null if there is none of a version that Rapport supports
 */
export async function startSystemPostgres(): Promise<SystemPostgres | null> {
  const installed = findInstalled();
  if (!installed) return null;
  const folder = mkdtempSync(join(tmpdir(), 'rapport-system-postgres-'));
  const password = randomBytes(18).toString('hex');
  const owner = ownerOfCluster();
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid);
  const options = { cwd: '/', ...owner };
  const cluster = join(folder, 'cluster');
  const flags = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--no-sync'];
  execFileSync(
    join(installed.bin, 'initdb'),
    ['-D', cluster, `--pwfile=${passwordFile}`, '--locale=C.UTF-8', ...flags],
    { ...options, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'fsync=off'];
  settings.push('unix_socket_directories=', 'max_connections=200', 'log_min_messages=fatal');
  const server = spawn(
    join(installed.bin, 'postgres'),
    ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  try {
    await answers(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, version: installed.version, stop };
}

function findInstalled(): Installed | null {
  if (!existsSync(packages)) return null;
  const found = readdirSync(packages)
    .map((name) => ({ bin: join(packages, name, 'bin'), version: Number(name) }))
    .filter(({ bin, version }) => {
      return version >= oldest && version <= newest && existsSync(join(bin, 'initdb'));
    })
    .sort((a, b) => b.version - a.version);
  return found[0] ?? null;
}

/** PostgreSQL refuses to run as root, so Debian's own user runs it, or the user nobody. */
function ownerOfCluster(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return { uid: 65534, gid: 65534 };
  }
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1000;
  while (Date.now() < deadline && server.exitCode === null) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch {
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`The system's PostgreSQL did not start within ${patienceSeconds} seconds.`);
}
