import { openSync, writeSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny';
import { z } from 'zod';
import { EnergyGate } from '../cutting/energy-gate.ts';
import { type Phrase, PhraseCutter } from '../cutting/phrase-cutter.ts';
import { readOpus } from '../cutting/read-opus.ts';
import { loadSilero } from '../cutting/silero.ts';
import { type CutPhrase, spokenPart } from './spoken-part.ts';

/*
 * Runs as a separate program (started by run-cut.ts): cuts the voice of a recorded file at the same pauses as the
 * server did during the call, and writes the samples of the phrases, 32-bit, one after the other.
 */

const order = z.object({ input: z.string(), output: z.string() });

/** A gap in the file that is longer ends a phrase. */
const longestGapMs = 200;

const { input, output } = order.parse(await json(process.stdin));
const out = openSync(output, 'w', 0o600);
const phrases: CutPhrase[] = [];
let written = 0;

const cutter = new PhraseCutter(loadSilero()?.() ?? new EnergyGate());
const file = new Input({ source: new FilePathSource(input), formats: ALL_FORMATS });
const track = (await file.canRead()) ? await file.getPrimaryAudioTrack() : null;
if (track?.codec === 'opus') {
  const packets = new EncodedPacketSink(track).packets();
  for await (const { positionMs, decode } of readOpus(track, packets)) {
    if (positionMs - cutter.positionMs > longestGapMs) keep(cutter.skipTo(positionMs));
    keep(cutter.push(decode()));
  }
  keep(cutter.skipTo(cutter.positionMs));
}
process.stdout.write(JSON.stringify(phrases));

function keep(found: readonly Phrase[]): void {
  for (const { startMs, samples } of found) {
    const { fromMs, toMs } = spokenPart(samples);
    writeSync(out, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    phrases.push({
      startMs: startMs + fromMs,
      endMs: startMs + toMs,
      position: written,
      bytes: samples.byteLength,
    });
    written += samples.byteLength;
  }
}
