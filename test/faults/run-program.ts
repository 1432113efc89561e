import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresProcessesIn } from '#server/platform/embedded-postgres/processes.ts';
import { freePort } from '#server/testing/free-port.ts';

const root = join(import.meta.dirname, '../..');
const patienceMs = 60_000;

/** The program, as `npm start` runs it after the installation. */
export interface Run {
  url: string;
  child: ChildProcess;
  output(): string;
  /** Resolves once its output contains this text. */
  says(text: string | RegExp): Promise<void>;
  /** Resolves once it answers; rejects with its output if it ends first. */
  ready(): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

const made: string[] = [];
const running = new Set<ChildProcess>();

/** Returns a new path for a data folder, which does not exist yet. */
export function newDataDir(): string {
  const home = mkdtempSync(join(tmpdir(), 'rapport-faults-'));
  made.push(home);
  return join(home, 'data');
}

/** For afterAll: removes everything that a test started, however it ended. */
export async function cleanUp(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  for (const home of made) {
    for (const pid of postgresIn(join(home, 'data'))) kill(pid);
    await until(() => postgresIn(join(home, 'data')).length === 0);
    rmSync(home, { recursive: true, force: true });
  }
}

/** @param within a shell script that runs first, in a separate mount namespace (as root) */
export async function run(
  dataDir: string,
  env: Record<string, string> = {},
  within?: string,
): Promise<Run> {
  const port = env.PORT ?? String(await freePort());
  const start = [process.execPath, join(root, 'scripts/start.ts')];
  const [file = '', ...args] = within
    ? ['unshare', '-m', 'sh', '-ec', `${within}\nexec "$@"`, 'sh', ...start]
    : start;
  const child = spawn(file, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      PORT: port,
      DATA_DIR: dataDir,
      RATE_LIMIT_SCALE: '1000',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let over = false;
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => {
      over = true;
      running.delete(child);
      resolve(code ?? signal ?? 0);
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const says = (text: string | RegExp) =>
    until(() => {
      if (typeof text === 'string' ? output.includes(text) : text.test(output)) return true;
      if (over) throw new Error(`it ended without saying ${text}:\n${output}`);
      return false;
    });
  return { url, child, ended, says, ready: () => says('Rapport is ready'), output: () => output };
}

/** Returns PostgreSQL's processes on this data folder. */
export function postgresIn(dataDir: string): number[] {
  const cluster = join(dataDir, 'postgres');
  return existsSync(cluster) ? postgresProcessesIn(realpathSync(cluster)) : [];
}

/** Kills the server, and with `all` its PostgreSQL too, like a power failure. */
export async function killHard(program: Run, dataDir: string, all: boolean): Promise<void> {
  const pids = all ? postgresIn(dataDir) : [];
  program.child.kill('SIGKILL');
  for (const pid of pids) kill(pid);
  await program.ended;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended together with the others.
  }
}

/** Waits for a condition, which may throw to give up. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${condition}`);
    await sleep(10);
  }
}

const works = (script: string) => spawnSync('unshare', ['-m', 'sh', '-ec', script]).status === 0;

/** Why this machine cannot mount file systems for a test, or null. */
export const cannotMount = works('mount -t tmpfs none /mnt')
  ? null
  : 'needs the right to mount (root, outside of a locked-down container)';

/** Why it cannot mount a file as a disk, or null. */
export const cannotMountImages = works(`
  image=$(mktemp); trap 'rm -f "$image"' EXIT
  truncate -s 4M "$image"; mkfs.ext4 -q "$image"; mount -o loop "$image" /mnt; umount /mnt`)
  ? null
  : 'needs loop devices and mkfs.ext4';
