import { expect, test } from 'vitest';
import { TlsRecords } from './tls-records.ts';

const record = (length: number) =>
  Buffer.concat([Buffer.from([23, 3, 3, length >> 8, length & 255]), Buffer.alloc(length, 23)]);
const stream = Buffer.concat([
  record(0),
  record(511),
  record(512),
  record(1),
  record(16_401),
  record(18),
]);

test('records of less than 512 bytes are counted, however the stream is cut', () => {
  for (const size of [1, 2, 3, 7, 4096, stream.length]) {
    const records = new TlsRecords();
    let small = 0;
    for (let at = 0; at < stream.length; at += size) {
      small += records.countSmall(stream.subarray(at, at + size));
    }
    expect([size, small]).toEqual([size, 4]);
  }
});
