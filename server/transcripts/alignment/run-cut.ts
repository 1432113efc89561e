import { join } from 'node:path';
import { z } from 'zod';
import { runApart } from '#server/platform/run-apart.ts';
import type { CutPhrase } from './spoken-part.ts';

const program = join(import.meta.dirname, 'cut-program.ts');
const heapMb = 256;
/** An hour takes half a minute of a core, which the calls may keep busy. */
const patienceMs = 30 * 60_000;

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
  const { code, answer } = await runApart({
    program,
    input: files,
    heapMb,
    timeoutMs: patienceMs,
    signal,
    // What it needs to start.
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
  });
  if (code !== 0) throw new Error('The voice of a recorded file could not be cut.');
  return cut.parse(JSON.parse(answer));
}
