import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnswerTurns } from './answer-turns.ts';
import { OrganizationTime } from './organization-time.ts';

const kilobyte = 1024;
const open = new AbortController().signal;
let turns: AnswerTurns;
beforeEach(() => {
  vi.useFakeTimers();
  // Half a megabyte at once, and half a megabyte a second; ten requests at once, and ten a second.
  turns = new AnswerTurns(
    {
      bytes: { burst: 512 * kilobyte, perSecond: 512 * kilobyte },
      requests: { burst: 10, perSecond: 10 },
    },
    new OrganizationTime(1),
  );
});
afterEach(() => {
  vi.useRealTimers();
});

/** Asks for an answer; the result says when it began, in milliseconds from now, and ends it. */
function ask(org: string, actor: string, bytes: number, path = 'GET /api/calls/:id') {
  const from = Date.now();
  const begun = turns.begin(org, actor, path, open).then((charge) => {
    if (charge) turns.end(charge, bytes);
    return Date.now() - from;
  });
  return begun;
}

async function begunAt(asked: Promise<number>[]): Promise<number[]> {
  await vi.advanceTimersByTimeAsync(60_000);
  return Promise.all(asked);
}

test('R7-2, R7-3: long answers of one organization are made at a bounded rate, whoever asks', async () => {
  await ask('acme', 'ada', 512 * kilobyte);
  const asked = ['bea', 'cy', 'dan'].map((actor) => ask('acme', actor, 512 * kilobyte));
  expect(await begunAt(asked)).toEqual([1000, 2000, 3000]);
});

test('R7-3: long answers that are asked for together are not made together', async () => {
  await ask('acme', 'ada', 512 * kilobyte);
  await vi.advanceTimersByTimeAsync(10_000);
  const asked = Array.from({ length: 4 }, () => ask('acme', 'ada', 512 * kilobyte));
  expect(await begunAt(asked)).toEqual([0, 1000, 2000, 3000]);
});

test('another organization, and short answers of other paths, do not wait', async () => {
  await ask('acme', 'ada', 512 * kilobyte);
  void ask('acme', 'ada', 512 * kilobyte);
  expect(await ask('navy', 'eve', 512 * kilobyte)).toBe(0);
  expect(await ask('acme', 'ada', 2 * kilobyte, 'GET /api/user')).toBe(0);
});

test('R11B-1: short answers of one organization are made at a bounded rate, and its accounts take turns', async () => {
  const flood = Array.from({ length: 13 }, () => ask('acme', 'ada', 2 * kilobyte));
  const bea = ask('acme', 'bea', 2 * kilobyte);
  expect(await ask('navy', 'eve', 2 * kilobyte)).toBe(0);
  expect(await begunAt([...flood.slice(9), bea])).toEqual([0, 100, 300, 400, 200]);
});

test('an answer that is shorter than expected gives back the rest', async () => {
  await ask('acme', 'ada', 512 * kilobyte);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await ask('acme', 'ada', 1 * kilobyte)).toBe(0);
  expect((await begunAt([ask('acme', 'ada', 1 * kilobyte)]))[0]).toBeLessThan(10);
});

test('an answer that is longer than expected delays the next ones', async () => {
  await ask('acme', 'ada', 2048 * kilobyte, 'GET /api/rooms');
  expect(await begunAt([ask('acme', 'bea', 64 * kilobyte, 'GET /api/rooms')])).toEqual([4000]);
});

test('actors take turns', async () => {
  await ask('acme', 'ada', 512 * kilobyte);
  const flood = Array.from({ length: 20 }, () => ask('acme', 'ada', 512 * kilobyte));
  const [bea] = await begunAt([ask('acme', 'bea', 512 * kilobyte)]);
  expect(bea).toBeLessThanOrEqual(2000);
  expect((await Promise.all(flood)).at(-1)).toBeGreaterThan(19_000);
});

test('one actor has at most fifty requests waiting, and a wait ends with its signal', async () => {
  await ask('acme', 'ada', 512 * kilobyte);
  const closed = new AbortController();
  const waiting = Array.from({ length: 50 }, () =>
    turns.begin('acme', 'ada', 'GET /api/calls/:id', closed.signal),
  );
  const refused = turns.begin('acme', 'ada', 'GET /api/calls/:id', open);
  await expect(refused).rejects.toMatchObject({ code: 'too_many_waiting' });
  closed.abort();
  expect(await Promise.all(waiting)).toEqual(Array(50).fill(null));
  expect((await begunAt([ask('acme', 'ada', 512 * kilobyte)]))[0]).toBeLessThanOrEqual(1000);
});

test('R13: requests that use a connection for long count as several, and others do not wait for them', async () => {
  turns.worked('acme', 10);
  await ask('acme', 'ada', 2 * kilobyte);
  turns.worked('acme', 100);
  expect(await ask('navy', 'eve', 2 * kilobyte)).toBe(0);
  expect(await begunAt([ask('acme', 'ada', 2 * kilobyte)])).toEqual([100]);
});

test('R13: an hour of waiting for a lock is charged as a fifth of a second', async () => {
  turns.worked('acme', 3_600_000);
  expect(await begunAt([ask('acme', 'ada', 2 * kilobyte)])).toEqual([1000]);
});

test('R13: a long answer waits for what was charged for work, too', async () => {
  await ask('acme', 'ada', 64 * kilobyte);
  turns.worked('acme', 200);
  expect(await begunAt([ask('acme', 'ada', 64 * kilobyte)])).toEqual([1100]);
});

test('R25-B2: an answer that is longer than what may be sent at once is charged whole', async () => {
  await ask('acme', 'ada', 2048 * kilobyte);
  const asked = [1, 2].map(() => ask('acme', 'ada', 2048 * kilobyte));
  // Three seconds of debt and one for the turn; then four more seconds.
  expect(await begunAt(asked)).toEqual([4000, 8000]);
});
