import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Recording } from '#domain/recordings/contract.ts';
import { type ApiUser, prepareRoom } from '../e2e/support/api.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { quantile } from './statistics.ts';
import { writeVideo } from './support/hour-of-video.ts';
import { held } from './support/process-memory.ts';
import {
  beginSegments,
  complete,
  type Segment,
  sendPart,
  uploadParts,
} from './support/recorded-calls.ts';

const calls = 50;
const people = 3;
const roundSeconds = 2;
const rounds = 15;
/** One megabit a second. */
const partBytes = 250_000;
/** BENCH_HOURS=6 measures a long call. */
const hours = Number(process.env.BENCH_HOURS ?? 1);
const hour = hours * 3600;
const megabyte = 2 ** 20;

/** Measures the upload of 50 recorded calls of three. */
export const uploads = () => withProgram(manyUploads);

/** Measures how soon an hour of recording, or BENCH_HOURS, can be played. */
export const hourOfRecording = () => withProgram(oneHour);

async function withProgram(
  measure: (program: Program, user: ApiUser) => Promise<Measured[]>,
): Promise<Measured[]> {
  const program = await startProgram();
  try {
    const { user } = await prepareRoom(program.url, 'Recording');
    return await measure(program, user);
  } finally {
    await discard(program);
  }
}

async function manyUploads(program: Program, user: ApiUser): Promise<Measured[]> {
  const segments = await beginSegments(program, user, { calls, people });
  const watch = watchMemory(() => held(program.process.pid ?? 0));
  const took = (await Promise.all(segments.map((segment) => upload(program.url, segment)))).flat();
  const peak = watch.stop() / megabyte;
  const what = `${calls} recorded calls of ${people}`;
  const note = `median ${Math.round(quantile(took, 0.5))} ms, n=${took.length}`;
  return [
    plain(`recording: a part, ${what}, 95 %`, 'ms', quantile(took, 0.95), 1000, note),
    plain(`recording: the server, ${what}, at most`, 'MB', peak, 400),
  ];
}

/** A part every two seconds, beginning at a random moment. */
async function upload(url: string, segment: Segment): Promise<number[]> {
  const part = new Uint8Array(partBytes);
  await sleep(Math.random() * roundSeconds * 1000);
  const took: number[] = [];
  for (let number = 0; number < rounds; number += 1) {
    const next = performance.now() + roundSeconds * 1000;
    part[0] = number;
    took.push(await sendPart(url, segment, number, part));
    await sleep(Math.max(0, next - performance.now()));
  }
  return took;
}

async function oneHour(program: Program, user: ApiUser): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-hour-'));
  const file = join(folder, 'hour');
  await writeVideo(file, hour);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  const [segment] = await beginSegments(program, user, { calls: 1, people: 1 });
  if (!segment) throw new Error('there is no segment');
  const partCount = await uploadParts(program.url, segment, bytes, hour / roundSeconds);
  const watch = watchMemory(() => heldByJoin(program.process.pid ?? 0));
  const startedAt = performance.now();
  await complete(program.url, segment, partCount);
  await ready(user, segment.callId);
  const seconds = (performance.now() - startedAt) / 1000;
  await withWaveform(user, segment.callId);
  const measured = ((performance.now() - startedAt) / 1000).toFixed(0);
  const note = `${Math.round(bytes.length / megabyte)} MB; its waveform after ${measured} s`;
  return [
    plain(`recording: ${hours} h can be played after`, 'ms', seconds * 1000, hours * 30_000, note),
    plain('recording: the process that joins it, at most', 'MB', watch.stop() / megabyte, 400),
  ];
}

async function fileOf(user: ApiUser, call: string) {
  const { people: found } = await user.send<Recording>('GET', `/api/calls/${call}/recording`);
  return found.flatMap(({ tracks }) => tracks.flatMap(({ files }) => files))[0];
}

async function withWaveform(user: ApiUser, call: string): Promise<void> {
  while ((await fileOf(user, call))?.waveform.length === 0) await sleep(500);
}

async function ready(user: ApiUser, call: string): Promise<void> {
  for (;;) {
    const file = await fileOf(user, call);
    if (file?.state === 'ready' && (file.durationMs ?? 0) > (hour - 10) * 1000) return;
    if (file && file.state !== 'waiting') throw new Error(`the hour is ${JSON.stringify(file)}`);
    await sleep(500);
  }
}

/** Watches the largest memory, a few times a second. */
function watchMemory(read: () => number) {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, read());
  }, 200);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Returns the memory of the joining process that the server has started; 0 without one. */
function heldByJoin(server: number): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isJoin = /(join|loudness)-program/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      if (isJoin && Number(parent) === server) return held(Number(pid));
    } catch {
      // It has ended.
    }
  }
  return 0;
}
