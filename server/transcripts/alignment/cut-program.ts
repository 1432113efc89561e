import { openSync, writeSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { EncodedPacketSink } from 'mediabunny';
import { z } from 'zod';
import { openRecordedFile } from '#server/recordings/open-recorded-file.ts';
import { EnergyGate } from '../cutting/energy-gate.ts';
import { type Phrase, PhraseCutter } from '../cutting/phrase-cutter.ts';
import { readOpus } from '../cutting/read-opus.ts';
import { loadSilero } from '../cutting/silero.ts';
import { type CutPhrase, spokenPart } from './spoken-part.ts';

/*
 * Runs as a separate program (started by run-cut.ts): cuts the voice of a recorded file at the same pauses as the
 * server did during the call, and writes the samples of the phrases, 32-bit, one after the other.
 */

const order = z.object({
  input: z.string(),
  output: z.string(),
  /** Sound that is decoded. */
  mostMs: z.int(),
});
/** Samples that are kept: two hours of speech, half a gigabyte. Later phrases are aligned, and cannot be filled in. */
const mostBytes = 2 * 3600 * 16_000 * 4;
/** A word a second for five hours. */
const mostPhrases = 20_000;

/** A gap in the file that is longer ends a phrase. */
const longestGapMs = 200;

const { input, output, mostMs } = order.parse(await json(process.stdin));
const out = openSync(output, 'w', 0o600);
const phrases: CutPhrase[] = [];
let written = 0;

const cutter = new PhraseCutter(loadSilero()?.() ?? new EnergyGate());
const file = openRecordedFile(input);
const track = (await file.canRead()) ? await file.getPrimaryAudioTrack() : null;
if (track?.codec === 'opus') {
  const packets = new EncodedPacketSink(track).packets();
  let decodedMs = 0;
  for await (const { positionMs, decode } of readOpus(track, packets)) {
    if (decodedMs > mostMs || phrases.length >= mostPhrases) break;
    if (positionMs - cutter.positionMs > longestGapMs) keep(cutter.skipTo(positionMs));
    const samples = decode();
    // A packet without sound takes time, too.
    decodedMs += Math.max(1, samples.length / 16);
    keep(cutter.push(samples));
  }
  keep(cutter.skipTo(cutter.positionMs));
}
process.stdout.write(JSON.stringify(phrases));

function keep(found: readonly Phrase[]): void {
  for (const { startMs, samples } of found) {
    const { fromMs, toMs } = spokenPart(samples);
    const bytes = written < mostBytes ? samples.byteLength : 0;
    if (bytes > 0) writeSync(out, new Uint8Array(samples.buffer, samples.byteOffset, bytes));
    phrases.push({ startMs: startMs + fromMs, endMs: startMs + toMs, position: written, bytes });
    written += bytes;
  }
}
