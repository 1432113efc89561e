import { dirname, join } from 'node:path';
import { z } from 'zod';
import { confinedTo, runApart } from '#server/platform/run-apart.ts';
import type { CutPhrase } from './spoken-part.ts';

const cutProgram = join(import.meta.dirname, 'cut-program.ts');
const heapMb = 256;
/** An hour takes half a minute of a core, which the calls may keep busy, and 400 MB are read. */
const patience = { leastMs: 2 * 60_000, msPerMegabyte: 150, perMs: 0.1, mostMs: 30 * 60_000 };
/** Sound of a file, in proportion to its length: packets of two bytes may be 120 ms each, at the same time. */
const sound = { perMs: 1.25, moreMs: 60_000 };

const cut = z.array(
  z.object({
    startMs: z.number(),
    endMs: z.number(),
    position: z.int(),
    bytes: z.int(),
  }),
) satisfies z.ZodType<CutPhrase[]>;

export interface FileToCut {
  input: string;
  output: string;
  durationMs: number;
  sizeBytes: number;
}

/**
 * Cuts the voice of a recorded file into phrases, in another process that can reach nothing but their folder. Their
 * samples are in `output`.
 * @throws an Error if it fails, takes too long, or is ended by the signal
 */
export async function runCut(
  { input, output, durationMs, sizeBytes }: FileToCut,
  signal: AbortSignal,
  program = cutProgram,
): Promise<CutPhrase[]> {
  const folder = dirname(input);
  const { code, answer, complaint } = await runApart({
    program,
    input: { input, output, mostMs: Math.round(durationMs * sound.perMs) + sound.moreMs },
    heapMb,
    timeoutMs: patienceFor(durationMs, sizeBytes),
    signal,
    // The detector of speech is an addon. It loads before the file is read.
    options: [...confinedTo(folder), '--allow-addons'],
    // What it needs to start.
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
  });
  if (code !== 0) {
    const reason = /^\w*Error[^\n]*/m.exec(complaint)?.[0].slice(0, 300) ?? 'It was ended.';
    throw new Error(`The voice of a recorded file could not be cut. ${reason}`);
  }
  return cut.parse(JSON.parse(answer));
}

function patienceFor(durationMs: number, sizeBytes: number): number {
  const { leastMs, msPerMegabyte, perMs, mostMs } = patience;
  const ms = leastMs + durationMs * perMs + (sizeBytes / 1_000_000) * msPerMegabyte;
  return Math.min(mostMs, Math.round(ms));
}
