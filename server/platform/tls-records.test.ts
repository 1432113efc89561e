import { expect, test } from 'vitest';
import { CostOfRecords, TlsRecords } from './tls-records.ts';

const record = (length: number) =>
  Buffer.concat([Buffer.from([23, 3, 3, length >> 8, length & 255]), Buffer.alloc(length, 23)]);
const records = [0, 511, 512, 1, 16_401, 18].map(record);
const stream = Buffer.concat(records);
const lengths = records.map(({ length }) => length);

test('records of less than 512 bytes are counted, and bytes of those that have ended, however the stream is cut', () => {
  for (const size of [1, 2, 3, 7, 4096, stream.length]) {
    const read = new TlsRecords();
    let small = 0;
    const ended: number[] = [];
    for (let at = 0; at < stream.length; at += size) {
      small += read.countSmall(stream.subarray(at, at + size));
      ended.push(read.complete);
    }
    expect([size, small]).toEqual([size, 4]);
    // A record counts once its last byte has arrived.
    const ends = lengths.map((_, at) => lengths.slice(0, at + 1).reduce((sum, one) => sum + one));
    expect([size, ended]).toEqual([
      size,
      ended.map((_, at) => Math.max(0, ...ends.filter((end) => end <= (at + 1) * size))),
    ]);
  }
});

test('R31-A3: a record that holds little costs as much as the small ones that its bytes would make', () => {
  /** Of 160 records of 16 KB, of which each holds this much. */
  const costOf = (held: number) => {
    const cost = new CostOfRecords();
    let decrypted = 0;
    // The handshake costs its small records alone.
    expect(cost.of(record(2_000))).toBe(0);
    cost.decrypted = () => decrypted;
    cost.of(Buffer.alloc(0));
    let sum = 0;
    for (let n = 0; n < 160; n += 1) {
      const bytes = record(16_384 + 17);
      sum += cost.of(bytes.subarray(0, 9_000));
      decrypted += held;
      sum += cost.of(bytes.subarray(9_000));
    }
    return sum;
  };
  // Full ones: a head and a seal of 22 bytes each.
  expect(costOf(16_384)).toBeCloseTo((160 * 22) / 512);
  expect(costOf(2)).toBeCloseTo((160 * 16_404) / 512);
});
