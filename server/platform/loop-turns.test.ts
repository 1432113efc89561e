import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoopTurns } from './loop-turns.ts';

let now = 0;
let turns: LoopTurns;
let started: string[] = [];
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  turns = new LoopTurns();
  started = [];
});
afterEach(() => void vi.restoreAllMocks());

/** Work that takes two milliseconds, most of it after a promise has resolved. */
const work = async (key: string, name: string) => {
  await turns.wait(key);
  await Promise.resolve();
  started.push(name);
  now += 2;
};

/** Uses up the current slice. */
function beBusy() {
  expect(turns.wait('busy')).toBeUndefined();
  now += 5;
}

test('work waits only once an iteration of the loop has been busy for five milliseconds', async () => {
  expect(turns.wait('acme')).toBeUndefined();
  now += 4;
  expect(turns.wait('acme')).toBeUndefined();
  now += 1;
  const waiting = turns.wait('acme');
  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  await setImmediate();
  expect(turns.wait('acme')).toBeUndefined();
});

test('what waits is started for five milliseconds in each iteration of the loop', async () => {
  beBusy();
  const all = Promise.all(['1', '2', '3', '4', '5', '6', '7'].map((name) => work('acme', name)));
  const perIteration: number[] = [];
  while (started.length < 7) {
    const before = started.length;
    await setImmediate();
    perIteration.push(started.length - before);
  }
  await all;
  expect(perIteration.filter((count) => count > 0)).toEqual([3, 3, 1]);
});

test('keys take turns, and keep the order of their own work', async () => {
  beBusy();
  const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => work('acme', name));
  await Promise.all([...flood, work('navy', 'b1'), work('navy', 'b2')]);
  expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
});

test('nothing overtakes what waits already', async () => {
  beBusy();
  const first = work('acme', 'first');
  now += 100;
  await Promise.all([first, work('navy', 'second')]);
  expect(started).toEqual(['first', 'second']);
});

test('the clock of a test that has ended does not stop it', async () => {
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  beBusy();
  vi.useRealTimers();
  await turns.wait('afterward');
  expect(turns.wait('later')).toBeUndefined();
});
