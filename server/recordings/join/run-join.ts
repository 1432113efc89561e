import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../..');
const joinProgram = join(import.meta.dirname, 'join-program.ts');
const loudnessProgram = join(import.meta.dirname, 'loudness-program.ts');
/** Of JavaScript's objects. An hour of video takes 320 MB in all. */
const heapMb = 256;
/** An hour of 400 MB takes four seconds of a core, and eight for its loudness, which the calls may keep busy. */
const patience = { leastMs: 2 * 60_000, msPerMegabyte: 150, mostMs: 30 * 60_000 };
const behindCalls = 10;

const joined = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nothing') }),
  z.object({
    kind: z.literal('joined'),
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
  /** Whether the loudness is measured, too. */
  measures: boolean;
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
  return joined.parse(await runApart(folder, { input: files, sizeBytes }, signal, joiner));
}

/** Returns the loudness of a joined file in the folder (loudness.ts), measured like `runJoin`. @throws JoinError */
export async function runLoudness(
  folder: string,
  { file, sizeBytes }: { file: string; sizeBytes: number },
  signal: AbortSignal,
): Promise<Buffer> {
  const measurer = { program: loudnessProgram, patience };
  const answer = await runApart(folder, { input: { file }, sizeBytes }, signal, measurer);
  return Buffer.from(measured.parse(answer).waveform, 'base64');
}

async function runApart(
  folder: string,
  { input, sizeBytes }: { input: object; sizeBytes: number },
  signal: AbortSignal,
  { program, patience }: FileProgram,
): Promise<unknown> {
  const rights = [
    '--permission',
    `--allow-fs-read=${root}/*`,
    `--allow-fs-read=${folder}/*`,
    `--allow-fs-write=${folder}/*`,
  ];
  const child = spawn(
    process.execPath,
    ['--no-warnings', `--max-old-space-size=${heapMb}`, ...rights, program],
    {
      // Passes no environment variables, because they hold secrets, except the one that Windows needs.
      env: { SystemRoot: process.env.SystemRoot },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: patienceFor(sizeBytes, patience),
      killSignal: 'SIGKILL',
      signal,
    },
  );
  if (child.pid) setPriority(child.pid, behindCalls);
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(input));
  const [ended, answer, complaint] = await Promise.all([
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (ended === null) throw new JoinError('Joining took too long, or was ended.');
  if (ended !== 0) throw new JoinError(lastLine(complaint));
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
