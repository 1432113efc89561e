/** A WebM element (RFC 8794): its id, its length, its content. */
export function element(id: number[], content: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(0x10000000 + content.length);
  return Buffer.concat([Buffer.from(id), length, content]);
}
const text = (id: number[], value: string) => element(id, Buffer.from(value));
const byte = (id: number[], value: number) => element(id, Buffer.of(value));

const float = Buffer.alloc(8);
float.writeDoubleBE(48_000);
export const head = Buffer.concat([
  element(
    [0x1a, 0x45, 0xdf, 0xa3],
    Buffer.concat([text([0x42, 0x82], 'webm'), byte([0x42, 0x87], 4), byte([0x42, 0x85], 2)]),
  ),
  // A segment of unknown length.
  Buffer.of(0x18, 0x53, 0x80, 0x67, 0x01, ...Buffer.alloc(7, 0xff)),
  element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], Buffer.of(0x0f, 0x42, 0x40))),
  element(
    [0x16, 0x54, 0xae, 0x6b],
    element(
      [0xae],
      Buffer.concat([
        byte([0xd7], 1),
        byte([0x73, 0xc5], 1),
        byte([0x83], 2),
        text([0x86], 'A_OPUS'),
        element(
          [0x63, 0xa2],
          Buffer.concat([
            Buffer.from('OpusHead'),
            Buffer.of(1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0),
          ]),
        ),
        element([0xe1], Buffer.concat([element([0xb5], float), byte([0x9f], 1)])),
      ]),
    ),
  ),
]);

/** Two frames of 60 ms without content: the shortest packet of the longest sound (RFC 6716, 3.2). */
const packet = Buffer.of((3 << 3) | 3, 2);
const packetMs = 120;
const packetsOfCluster = 250;

/** Returns a WebM file of Opus packets that take two bytes and last 120 ms each. */
export function tinyPackets(count: number): Uint8Array {
  const clusters: Buffer[] = [];
  for (let first = 0; first < count; first += packetsOfCluster) {
    const time = Buffer.alloc(4);
    time.writeUInt32BE(first * packetMs);
    const blocks = Array.from({ length: Math.min(packetsOfCluster, count - first) }, (_, at) => {
      const place = Buffer.of(0x81, 0, 0, 0x80);
      place.writeInt16BE(at * packetMs, 1);
      return Buffer.concat([Buffer.of(0xa3, 0x80 + place.length + packet.length), place, packet]);
    });
    clusters.push(
      element([0x1f, 0x43, 0xb6, 0x75], Buffer.concat([element([0xe7], time), ...blocks])),
    );
  }
  return Buffer.concat([head, ...clusters]);
}
