import type { EncodedPacket, InputAudioTrack } from 'mediabunny';
import { OpusDecoder } from 'opus-decoder';

/** Decoded samples, 16 kHz, and where they belong in the stream. */
export interface DecodedAudio {
  positionMs: number;
  samples: Float32Array;
}

/** Decodes the packets of an Opus track, mixed to one channel. */
export async function* decodeOpus(
  track: InputAudioTrack,
  packets: AsyncIterable<EncodedPacket>,
): AsyncGenerator<DecodedAudio> {
  const channels = Math.min(2, track.numberOfChannels);
  const decoder = new OpusDecoder({ sampleRate: 16_000, channels });
  await decoder.ready;
  try {
    for await (const { data, timestamp } of packets) {
      const { channelData } = decoder.decodeFrame(data);
      yield { positionMs: timestamp * 1000, samples: mixed(channelData) };
    }
  } finally {
    decoder.free();
  }
}

function mixed([left, right]: Float32Array[]): Float32Array {
  if (!left) return new Float32Array(0);
  return right ? left.map((sample, at) => (sample + (right[at] ?? 0)) / 2) : left;
}
