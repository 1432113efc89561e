import { json } from 'node:stream/consumers';
import { EncodedPacketSink } from 'mediabunny';
import { z } from 'zod';
import { openRecordedFile } from '../open-recorded-file.ts';
import { Loudness } from './loudness.ts';

/*
 * Runs as a separate program after join-program.ts, for long files: decoding the sound takes three times as long as
 * joining, and a file can be played without its waveform.
 */

const { file } = z.object({ file: z.string() }).parse(await json(process.stdin));
const track = await openRecordedFile(file).getPrimaryAudioTrack();
const loudness = await Loudness.of((await track?.getCodec()) ?? null, track);
if (track) {
  for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
    loudness.add(timestamp, data);
  }
}
const waveform = Buffer.from(loudness.values()).toString('base64');
process.stdout.write(JSON.stringify({ waveform }));
