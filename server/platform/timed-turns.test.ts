import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TimedTurns } from './timed-turns.ts';

let now = 0;
let turns: TimedTurns;
let done: string[] = [];
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  now = 0;
  turns = new TimedTurns();
  done = [];
});
afterEach(() => void vi.restoreAllMocks());

const task = (key: string, ms: number) =>
  turns.run(key, async () => {
    now += ms;
    done.push(key);
  });

/** A key whose next task follows from the one before, as the packets of a stream do. */
async function oneByOne(key: string, count: number, ms: number) {
  for (let n = 0; n < count; n += 1) await task(key, ms);
}

test('R19-58: a key waits for long tasks of another only as long as its own take', async () => {
  const long = Array.from({ length: 20 }, () => task('eve', 40));
  await oneByOne('ada', 100, 1);
  expect(done.filter((key) => key === 'eve').length).toBeLessThanOrEqual(4);
  await Promise.all(long);
  expect(done.filter((key) => key === 'eve')).toHaveLength(20);
});

test('equal tasks alternate, and those of a key keep their order', async () => {
  const order: number[] = [];
  const numbered = [1, 2, 3].map((n) =>
    turns.run('ada', async () => {
      now += 5;
      order.push(n);
      done.push('ada');
    }),
  );
  await Promise.all([...numbered, oneByOne('eve', 3, 5)]);
  expect(order).toEqual([1, 2, 3]);
  expect(done).toEqual(['ada', 'eve', 'ada', 'eve', 'ada', 'eve']);
});

test('a key that comes later has no time to catch up', async () => {
  const first = oneByOne('ada', 30, 10);
  await vi.waitFor(() => expect(done.length).toBeGreaterThan(10));
  const before = done.length;
  await Promise.all([first, oneByOne('eve', 5, 10)]);
  const both = done.slice(before, before + 10);
  expect(both.filter((key) => key === 'eve').length).toBeLessThanOrEqual(6);
  expect(done.filter((key) => key === 'ada')).toHaveLength(30);
});

test('what follows at once from a result counts as time of its task', async () => {
  const costly = (async () => {
    for (let n = 0; n < 4; n += 1) {
      await task('eve', 1);
      now += 50;
    }
  })();
  await oneByOne('ada', 20, 1);
  expect(done.filter((key) => key === 'eve').length).toBeLessThanOrEqual(2);
  await costly;
});

test('an error goes to its task, and ends its turn', async () => {
  const failing = turns.run('eve', () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  await task('ada', 1);
  expect(done).toEqual(['ada']);
});
