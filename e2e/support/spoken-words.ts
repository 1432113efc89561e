import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleRate, wavHeader } from '#server/transcripts/wav.ts';

/** Between two phrases. Longer than the pause that ends a phrase on the server. */
const pauseSeconds = 1.2;

/** Voices of flite that differ: a woman's and two men's. */
type Voice = 'slt' | 'rms' | 'awb';

/**
 * Returns a WAV file in which a voice says these phrases, with pauses, made once for each text. Chromium's fake
 * microphone plays it again and again (`Look.microphoneFile`).
 */
export function spokenFile(voice: Voice, phrases: readonly string[]): string {
  const folder = join(tmpdir(), 'rapport-voices');
  const text = [voice, pauseSeconds, ...phrases].join('\n');
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = join(folder, `${name}.wav`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const pause = Buffer.alloc(pauseSeconds * sampleRate * 2);
  const sound = phrases.flatMap((phrase) => [samplesOf(voice, phrase, file), pause]);
  const data = Buffer.concat(sound);
  const whole = `${file}.${process.pid}`;
  writeFileSync(whole, Buffer.concat([wavHeader(data.length), data]));
  renameSync(whole, file);
  return file;
}

function samplesOf(voice: Voice, phrase: string, file: string): Buffer {
  const spoken = `${file}.${process.pid}.phrase`;
  const { status } = spawnSync('flite', ['-voice', voice, '-t', phrase, '-o', spoken]);
  if (status !== 0) throw new Error('flite could not speak');
  const wav = readFileSync(spoken);
  if (wav.readUInt32LE(24) !== sampleRate) throw new Error(`flite’s ${voice} has another rate`);
  return wav.subarray(wav.indexOf('data') + 8);
}
