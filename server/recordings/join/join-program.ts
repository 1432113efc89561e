import { writeFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { z } from 'zod';
import { openRecordedFile } from '../open-recorded-file.ts';
import { Loudness } from './loudness.ts';
import { stillPicture } from './still-picture.ts';

/*
 * Runs as a separate program (started by run-join.ts), so that readers of untrusted files cannot harm the server, and
 * their memory and time end with the process. Copies the packets of a recorder's pieces into one file that can be
 * searched. Nothing is decoded but the sound, for its loudness, where it is short.
 */

const order = z.object({
  /** Each begins like a whole file. Later ones follow parts that are missing. */
  pieces: z.array(z.string()).min(1),
  output: z.string(),
  /** Where a picture from the file is written. */
  poster: z.string(),
  /** Measures the loudness, too, which takes three times as long as all else. */
  measures: z.boolean(),
  mostMs: z.number().nullish(),
});

const { pieces, output, poster, measures, mostMs } = order.parse(await json(process.stdin));
const endSeconds = (mostMs ?? Number.POSITIVE_INFINITY) / 1000;
const result = await join(pieces, output);
process.stdout.write(JSON.stringify(result));

interface Tracks {
  video: InputVideoTrack | null;
  audio: InputAudioTrack | null;
}

async function open(path: string): Promise<Tracks | null> {
  const input = openRecordedFile(path);
  if (!(await input.canRead())) return null;
  return { video: await input.getPrimaryVideoTrack(), audio: await input.getPrimaryAudioTrack() };
}

async function join(paths: string[], target: string) {
  const opened = (await Promise.all(paths.map(open))).filter((one) => one !== null);
  const [first] = opened;
  const videoCodec = (await first?.video?.getCodec()) ?? null;
  const audioCodec = (await first?.audio?.getCodec()) ?? null;
  if (!first || (!videoCodec && !audioCodec)) return { kind: 'nothing' as const };
  // A player knows VP8 in WebM only, and H.264 in MP4 only. The index goes to the end: it is not held in memory.
  const isWebM = videoCodec === 'vp8' || videoCodec === 'vp9';
  const format = isWebM ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: false });
  const out = new Output({ format, target: new FilePathTarget(target) });
  const video = videoCodec && new EncodedVideoPacketSource(videoCodec);
  const audio = audioCodec && new EncodedAudioPacketSource(audioCodec);
  if (video) out.addVideoTrack(video);
  if (audio) out.addAudioTrack(audio);
  await out.start();
  const loudness = measures ? await Loudness.of(audioCodec, first.audio) : null;
  const ends = { video: 0, audio: 0 };
  for (const tracks of opened) {
    // Both at once: the writer waits for the track that is behind.
    await Promise.all([
      video && tracks.video && copyVideo(tracks.video, video, ends),
      audio && tracks.audio && copyAudio(tracks.audio, audio, ends, loudness),
    ]);
  }
  if (ends.video === 0 && ends.audio === 0) return { kind: 'nothing' as const };
  await out.finalize();
  const picture = first.video && (await stillPicture(first.video, endSeconds));
  if (picture) await writeFile(poster, picture, { mode: 0o600 });
  return {
    kind: 'joined' as const,
    hasPoster: picture !== null,
    mimeType: `${videoCodec ? 'video' : 'audio'}/${isWebM ? 'webm' : 'mp4'}`,
    durationMs: Math.round(Math.max(ends.video, ends.audio) * 1000),
    waveform: loudness && Buffer.from(loudness.values()).toString('base64'),
  };
}

async function copyVideo(
  track: InputVideoTrack,
  target: EncodedVideoPacketSource,
  ends: { video: number },
): Promise<void> {
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  // After a gap, pictures that refer to lost ones are left out.
  const packets = new EncodedPacketSink(track);
  const first = await packets.getFirstKeyPacket();
  if (!first) return;
  for await (const packet of packets.packets(first)) {
    if (packet.timestamp < 0 || packet.timestamp < ends.video - 1) continue;
    if (packet.timestamp >= endSeconds) break;
    await target.add(packet, decoderConfig && { decoderConfig });
    ends.video = Math.max(ends.video, packet.timestamp + packet.duration);
  }
}

async function copyAudio(
  track: InputAudioTrack,
  target: EncodedAudioPacketSource,
  ends: { audio: number },
  loudness: Loudness | null,
): Promise<void> {
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    if (packet.timestamp < ends.audio - 0.5 || packet.timestamp < 0) continue;
    if (packet.timestamp >= endSeconds) break;
    await target.add(packet, decoderConfig && { decoderConfig });
    ends.audio = Math.max(ends.audio, packet.timestamp + packet.duration);
    loudness?.add(packet.timestamp, packet.data);
  }
}
