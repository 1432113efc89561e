import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#server/testing/free-port.ts';

export interface Program {
  url: string;
  dataDir: string;
  process: ChildProcess;
  output(): string;
  /** Stops it as an operator does; `SIGKILL` is like a power failure. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts again with the same folder and port. */
  restart(): Promise<Program>;
}

const repository = join(import.meta.dirname, '../..');

/**
 * Starts Rapport as `npm start` does, or by another npm script, on a separate data folder, and
 * waits until it is ready.
 * @param root the checkout to start; by default this one
 */
export async function startProgram(
  env: Record<string, string> = {},
  dataDir = newDataDir(),
  port?: number,
  script: 'start' | 'demo' = 'start',
  root = repository,
): Promise<Program> {
  const chosen = port ?? (await freePort());
  const url = `http://localhost:${chosen}`;
  const child = spawn(process.execPath, commandOf(script, root), {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(chosen),
      DATA_DIR: dataDir,
      RATE_LIMIT_SCALE: '1000',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const program: Program = {
    url,
    dataDir,
    process: child,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null) child.kill(signal);
      await ended;
    },
    restart: () => startProgram(env, dataDir, chosen, script, root),
  };
  await ready(program, ended);
  return program;
}

/** Returns a new data folder: a copy of the one in PREPARED_DATA_DIR (prepared-data.ts), or empty. */
function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-e2e-'));
  const prepared = process.env.PREPARED_DATA_DIR;
  if (prepared) cpSync(prepared, folder, { recursive: true });
  return folder;
}

/** Returns the arguments that `npm run` passes to Node for a script of the checkout: flags and file. */
function commandOf(script: string, root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return String(scripts[script]).split(' ').slice(1);
}

/** Stops it and deletes its data folder. */
export async function discard(program: Program): Promise<void> {
  await program.stop();
  rmSync(program.dataDir, { recursive: true, force: true });
}

async function ready(program: Program, ended: Promise<void>): Promise<void> {
  let over = false;
  ended.then(() => {
    over = true;
  });
  const deadline = Date.now() + 120_000;
  while (!over && Date.now() < deadline) {
    const answer = await fetch(`${program.url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Rapport did not start:\n${program.output()}`);
}
