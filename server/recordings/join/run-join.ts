import { join } from 'node:path';
import { z } from 'zod';
import { confinedTo, runApart } from '#server/platform/run-apart.ts';

const joinProgram = join(import.meta.dirname, 'join-program.ts');
const loudnessProgram = join(import.meta.dirname, 'loudness-program.ts');
/** Of JavaScript's objects. An hour of video takes 320 MB in all. */
const heapMb = 256;
/** An hour of 400 MB takes four seconds of a core, and eight for its loudness, which the calls may keep busy. */
const patience = { leastMs: 2 * 60_000, msPerMegabyte: 150, mostMs: 30 * 60_000 };

const joined = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nothing') }),
  z.object({
    kind: z.literal('joined'),
    /** Whether a picture was written; there is none of most codecs. */
    hasPoster: z.boolean(),
    mimeType: z.enum(['video/mp4', 'audio/mp4', 'video/webm', 'audio/webm']),
    durationMs: z.int().min(0),
    /** Null where it was not measured. */
    waveform: z.base64().nullable(),
  }),
]);
export type Joined = z.infer<typeof joined>;
const measured = z.object({ waveform: z.base64() });

interface FilesToJoin {
  pieces: string[];
  output: string;
  poster: string;
  /** Whether the loudness is measured, too. */
  measures: boolean;
  /** What is later is left out; null keeps everything. */
  mostMs?: number | null;
  sizeBytes: number;
}

/** A program that handles recorded files, and its time limits. */
export interface FileProgram {
  program: string;
  patience: { leastMs: number; msPerMegabyte: number; mostMs: number };
}

export class JoinError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'JoinError';
  }
}

/**
 * Joins the pieces of a segment into a file, in another process that can reach nothing but the folder.
 * @param folder of the pieces and of the output
 * @param signal ends the process
 * @throws JoinError
 */
export async function runJoin(
  folder: string,
  { sizeBytes, ...files }: FilesToJoin,
  signal: AbortSignal,
  joiner: FileProgram = { program: joinProgram, patience },
): Promise<Joined> {
  return joined.parse(await runInFolder(folder, { input: files, sizeBytes }, signal, joiner));
}

/** Returns the loudness of a joined file in the folder (loudness.ts), measured like `runJoin`. @throws JoinError */
export async function runLoudness(
  folder: string,
  { file, sizeBytes }: { file: string; sizeBytes: number },
  signal: AbortSignal,
): Promise<Buffer> {
  const measurer = { program: loudnessProgram, patience };
  const answer = await runInFolder(folder, { input: { file }, sizeBytes }, signal, measurer);
  return Buffer.from(measured.parse(answer).waveform, 'base64');
}

async function runInFolder(
  folder: string,
  { input, sizeBytes }: { input: object; sizeBytes: number },
  signal: AbortSignal,
  { program, patience }: FileProgram,
): Promise<unknown> {
  const { code, answer, complaint } = await runApart({
    program,
    input,
    heapMb,
    timeoutMs: patienceFor(sizeBytes, patience),
    signal,
    options: confinedTo(folder),
    // Windows needs it.
    env: { SystemRoot: process.env.SystemRoot },
  });
  if (code === null) throw new JoinError('Joining took too long, or was ended.');
  if (code !== 0) throw new JoinError(lastLine(complaint));
  return JSON.parse(answer);
}

/** A small file that takes long is no recording. */
function patienceFor(sizeBytes: number, limits: FileProgram['patience']) {
  const { leastMs, msPerMegabyte, mostMs } = limits;
  return Math.min(mostMs, leastMs + Math.round((sizeBytes / 1_000_000) * msPerMegabyte));
}

/** The message of the error, which names no content. */
const lastLine = (complaint: string) =>
  /^\w*Error[^\n]*/m.exec(complaint)?.[0].slice(0, 300) ?? 'The file could not be read.';
