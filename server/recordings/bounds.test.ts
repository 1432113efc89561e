import { expect, test, vi } from 'vitest';
import { largestPart } from '#domain/recordings/contract.ts';
import { UploadRates } from './bounds.ts';

test('R15-7: a part of one byte counts as a quarter of a megabyte', () => {
  const rates = new UploadRates({ RATE_LIMIT_SCALE: 1 });
  let parts = 0;
  while (parts < 2_000 && rates.spend('participant', 'organization', 1) === 0) parts += 1;
  expect(parts).toBeGreaterThanOrEqual(1024);
  expect(parts).toBeLessThan(1100);
  expect(rates.spend('another', 'organization', 1)).toBe(0);
});

test('R21-52: an organization begins and completes twenty segments a second, beyond what a large meeting does at once', () => {
  const rates = new UploadRates({ RATE_LIMIT_SCALE: 1 });
  let segments = 0;
  while (segments < 5_000 && rates.spendSegment('organization') === 0) segments += 1;
  expect(segments).toBeGreaterThanOrEqual(1_000);
  expect(segments).toBeLessThan(1_100);
  expect(rates.spendSegment('another')).toBe(0);
});

test('R22-10: the parts of an organization are read at a bounded rate, in turns of its participants', async () => {
  const rates = new UploadRates({ RATE_LIMIT_SCALE: 1 });
  const { signal } = new AbortController();
  const read: string[] = [];
  const send = async (participantId: string, orgId: string) => {
    if (await rates.turn({ participantId, orgId }, largestPart, signal)) read.push(participantId);
  };
  const parts = Array.from({ length: 12 }, () => send('one', 'organization'));
  const another = send('another', 'organization');
  await send('somebody', 'elsewhere');
  expect(read.filter((who) => who === 'one').length).toBeLessThan(4);
  await another;
  expect(read.filter((who) => who === 'one').length).toBeLessThan(8);
  await Promise.all(parts);
  expect(read).toHaveLength(14);
});

test('R26-B5: parts of one byte are read at a bounded rate, too', async () => {
  vi.useFakeTimers();
  try {
    const rates = new UploadRates({ RATE_LIMIT_SCALE: 1 });
    const { signal } = new AbortController();
    let read = 0;
    for (let n = 0; n < 2_000; n += 1) {
      void rates
        .turn({ participantId: `${n % 200}`, orgId: 'organization' }, 1, signal)
        .then(() => {
          read += 1;
        });
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toBeGreaterThan(200);
    expect(read).toBeLessThan(320);
  } finally {
    vi.useRealTimers();
  }
});
