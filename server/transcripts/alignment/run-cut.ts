import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { CutPhrase } from './spoken-part.ts';

const program = join(import.meta.dirname, 'cut-program.ts');
const heapMb = 256;
/** An hour takes half a minute of a core, which the calls may keep busy. */
const patienceMs = 30 * 60_000;
const behindCalls = 10;

const cut = z.array(
  z.object({
    startMs: z.number(),
    endMs: z.number(),
    position: z.int(),
    bytes: z.int(),
  }),
) satisfies z.ZodType<CutPhrase[]>;

/**
 * Cuts the voice of a recorded file into phrases, in another process. Their samples are in `output`.
 * @throws an Error if it fails, takes too long, or is ended by the signal
 */
export async function runCut(
  files: { input: string; output: string },
  signal: AbortSignal,
): Promise<CutPhrase[]> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', `--max-old-space-size=${heapMb}`, program],
    {
      // Passes no environment variables, because they hold secrets, except those that it needs to start.
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      signal,
    },
  );
  if (child.pid) setPriority(child.pid, behindCalls);
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(files));
  const [ended, answer] = await Promise.all([
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
    text(child.stdout),
  ]);
  if (ended !== 0) throw new Error('The voice of a recorded file could not be cut.');
  return cut.parse(JSON.parse(answer));
}
