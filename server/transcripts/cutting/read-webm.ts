import { EncodedPacketSink, Input, ReadableStreamSource, WEBM } from 'mediabunny';
import { OpusDecoder } from 'opus-decoder';

/** Of the file that is kept for reading it again, which nothing does. */
const mostCachedBytes = 1024 * 1024;

/** A packet of sound, and where it belongs in the stream. */
export interface SoundPacket {
  positionMs: number;
  /** Returns its samples, 16 kHz. To be called once, in the order of the packets. */
  decode(): Float32Array;
}

/**
 * Reads a WebM file with Opus while it arrives.
 * @throws an Error if it is no such file, or not one that can be decoded
 */
export async function* readWebm(bytes: ReadableStream<Uint8Array>): AsyncGenerator<SoundPacket> {
  const source = new ReadableStreamSource(bytes, {
    maxCacheSize: mostCachedBytes,
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats: [WEBM] });
  const track = await input.getPrimaryAudioTrack();
  if (track?.codec !== 'opus') throw new Error('no Opus track');
  const channels = Math.min(2, track.numberOfChannels);
  const decoder = new OpusDecoder({ sampleRate: 16_000, channels });
  await decoder.ready;
  try {
    const sink = new EncodedPacketSink(track);
    for await (const { data, timestamp } of sink.packets()) {
      const decode = () => mixed(decoder.decodeFrame(data).channelData);
      yield { positionMs: timestamp * 1000, decode };
    }
  } finally {
    decoder.free();
    input.dispose();
  }
}

function mixed([left, right]: Float32Array[]): Float32Array {
  if (!left) return new Float32Array(0);
  return right ? left.map((sample, at) => (sample + (right[at] ?? 0)) / 2) : left;
}
