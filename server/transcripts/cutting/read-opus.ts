import type { EncodedPacket, InputAudioTrack } from 'mediabunny';
import { OpusDecoder } from 'opus-decoder';

/** A packet of sound, and where it belongs in the stream. */
export interface SoundPacket {
  positionMs: number;
  /** Returns its samples, 16 kHz, mixed to one channel. To be called once, in the order of the packets. */
  decode(): Float32Array;
}

/** Reads the packets of an Opus track. */
export async function* readOpus(
  track: InputAudioTrack,
  packets: AsyncIterable<EncodedPacket>,
): AsyncGenerator<SoundPacket> {
  const channels = Math.min(2, track.numberOfChannels);
  const decoder = new OpusDecoder({ sampleRate: 16_000, channels });
  await decoder.ready;
  try {
    for await (const { data, timestamp } of packets) {
      const decode = () => mixed(decoder.decodeFrame(data).channelData);
      yield { positionMs: timestamp * 1000, decode };
    }
  } finally {
    decoder.free();
  }
}

function mixed([left, right]: Float32Array[]): Float32Array {
  if (!left) return new Float32Array(0);
  return right ? left.map((sample, at) => (sample + (right[at] ?? 0)) / 2) : left;
}
