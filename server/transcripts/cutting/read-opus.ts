import type { EncodedPacket, InputAudioTrack } from 'mediabunny';
import { OpusDecoder } from 'opus-decoder';

/** A packet of sound, and where it belongs in the stream. */
export interface SoundPacket {
  positionMs: number;
  /** Returns its samples, 16 kHz, mixed to one channel. To be called once, in the order of the packets. */
  decode(): Float32Array;
}

/** Runs what takes the processor for a while, when it may. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Reads the packets of an Opus track. Its decoder opens in turn. */
export async function* readOpus(
  track: InputAudioTrack,
  packets: AsyncIterable<EncodedPacket>,
  inTurn: InTurn = (work) => work(),
): AsyncGenerator<SoundPacket> {
  const channels = Math.min(2, track.numberOfChannels);
  const decoder = await inTurn(async () => {
    const opening = new OpusDecoder({ sampleRate: 16_000, channels });
    await opening.ready;
    return opening;
  });
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
