import { EncodedPacketSink, Input, ReadableStreamSource, WEBM } from 'mediabunny';
import { type InTurn, readOpus, type SoundPacket } from './read-opus.ts';

/** Of the file that is kept for reading it again, which nothing does. */
const mostCachedBytes = 1024 * 1024;

/**
 * Reads a WebM file with Opus while it arrives.
 * @throws an Error if it is no such file, or not one that can be decoded
 */
export async function* readWebm(
  bytes: ReadableStream<Uint8Array>,
  inTurn?: InTurn,
): AsyncGenerator<SoundPacket> {
  const source = new ReadableStreamSource(bytes, {
    maxCacheSize: mostCachedBytes,
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats: [WEBM] });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track?.codec !== 'opus') throw new Error('no Opus track');
    yield* readOpus(track, new EncodedPacketSink(track).packets(), inTurn);
  } finally {
    input.dispose();
  }
}
