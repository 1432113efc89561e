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

test('R21-52: an organization begins and completes fifty segments a second at most, in turns of its participants', async () => {
  vi.useFakeTimers();
  try {
    const rates = new UploadRates({ RATE_LIMIT_SCALE: 1 });
    const { signal } = new AbortController();
    let begun = 0;
    const begin = async (participantId: string, orgId = 'organization') => {
      if (await rates.segmentTurn({ participantId, orgId }, signal)) begun += 1;
    };
    const everyone = Array.from({ length: 300 }, (_, n) => begin(`${n}`));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toBeGreaterThan(40);
    expect(begun).toBeLessThan(80);
    const before = begun;
    await begin('someone', 'elsewhere');
    expect(begun).toBe(before + 1);
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(everyone);
    expect(begun).toBe(301);
  } finally {
    vi.useRealTimers();
  }
});

test('R26-B8: a participant has four segments that wait', async () => {
  const rates = new UploadRates({ RATE_LIMIT_SCALE: 1 });
  const closed = new AbortController();
  const one = { participantId: 'one', orgId: 'organization' };
  const begin = () => rates.segmentTurn(one, closed.signal);
  const begun = await Promise.allSettled(Array.from({ length: 20 }, begin));
  expect(begun.every(({ status }) => status === 'fulfilled')).toBe(true);
  const waiting = Array.from({ length: 4 }, begin);
  await expect(begin()).rejects.toMatchObject({ kind: 'too_many' });
  closed.abort();
  expect(await Promise.all(waiting)).toEqual([false, false, false, false]);
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
