import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny';

/** Cameras begin dark, and people look down to their keyboards. */
const soonSeconds = 10;

/**
 * Returns a picture of the first seconds as a WebP image, without decoding it: a lossy WebP image is one key frame of
 * VP8 in a header (RFC 9649, 2.5). Null for other codecs.
 */
export async function stillPicture(
  track: InputVideoTrack,
  endSeconds: number,
): Promise<Buffer | null> {
  if ((await track.getCodec()) !== 'vp8') return null;
  const packets = new EncodedPacketSink(track);
  const first = await packets.getFirstKeyPacket();
  if (!first || first.timestamp >= endSeconds) return null;
  let latest = first;
  // Not by `getKeyPacket`, which begins at the last cluster that was read, and finds none if that has none.
  for await (const packet of packets.packets(first)) {
    if (packet.timestamp >= Math.min(soonSeconds, endSeconds)) break;
    if (packet.type === 'key') latest = packet;
  }
  return webpOf(latest.data);
}

function webpOf(keyFrame: Uint8Array): Buffer {
  const padding = keyFrame.length % 2;
  const header = Buffer.alloc(20);
  header.write('RIFF', 0);
  header.writeUInt32LE(12 + keyFrame.length + padding, 4);
  header.write('WEBPVP8 ', 8);
  header.writeUInt32LE(keyFrame.length, 16);
  return Buffer.concat([header, keyFrame, Buffer.alloc(padding)]);
}
