import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const root = join(import.meta.dirname, '../..');

/** Not all of the checkout: its `data` holds the files and the database of all organizations. */
const code = ['package.json', 'domain/*', 'server/*', 'node_modules/*'];

/**
 * Options of Node.js for a program that reads a hostile file: it may read the code and this folder, and write there.
 * The packages may be a link to another place.
 */
export const confinedTo = (folder: string): string[] => [
  '--permission',
  ...code.map((path) => `--allow-fs-read=${root}/${path}`),
  `--allow-fs-read=${realpathSync(join(root, 'node_modules'))}/*`,
  `--allow-fs-read=${folder}/*`,
  `--allow-fs-write=${folder}/*`,
];

/** Calls come first. */
const behindCalls = 10;
/** Of what it writes: values of a waveform, or phrases, of half a day. A program that reads a hostile file may be its. */
const mostAnswerCharacters = 16 * 1024 * 1024;
const mostComplaintCharacters = 64 * 1024;

export interface ProgramApart {
  /** The path of the program, which reads JSON from its standard input. */
  program: string;
  input: object;
  /** Of JavaScript's objects. */
  heapMb: number;
  timeoutMs: number;
  /** Ends it. */
  signal: AbortSignal;
  /** Options of Node.js, such as what the program may read. */
  options?: readonly string[];
  /** Variables of the environment. All others are kept from it, because they hold secrets. */
  env: NodeJS.ProcessEnv;
}

/**
 * Runs a program in a process of its own, behind the calls.
 * @returns its exit code, null if it took too long, wrote too much, or was ended, and what it wrote
 */
export async function runApart(given: ProgramApart) {
  const { program, input, heapMb, timeoutMs, signal, options = [], env } = given;
  const child = spawn(
    process.execPath,
    ['--no-warnings', `--max-old-space-size=${heapMb}`, ...options, program],
    {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      signal,
    },
  );
  if (child.pid) setPriority(child.pid, behindCalls);
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(input));
  const [code, answer, complaint] = await Promise.all([
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
    textOf(child.stdout, mostAnswerCharacters, () => child.kill('SIGKILL')),
    textOf(child.stderr, mostComplaintCharacters, () => child.kill('SIGKILL')),
  ]);
  return { code, answer, complaint };
}

async function textOf(stream: Readable, most: number, end: () => void): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of stream.setEncoding('utf8')) {
    length += part.length;
    if (length > most) end();
    else parts.push(part);
  }
  return parts.join('');
}
