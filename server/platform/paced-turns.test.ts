import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PacedTurns } from './paced-turns.ts';

const open = new AbortController().signal;
let turns: PacedTurns;
let started: string[];
beforeEach(() => {
  vi.useFakeTimers();
  turns = new PacedTurns({ burst: 2, perSecond: 2 });
  started = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = (member: string, signal = open) =>
  turns.turn('room', member, signal).then((came) => {
    if (came) started.push(member);
  });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('the burst starts at once, and the rest at the rate', async () => {
  for (const member of ['a', 'a', 'a', 'a']) void ask(member);
  await pass(0);
  expect(started).toHaveLength(2);
  await pass(500);
  expect(started).toHaveLength(3);
  await pass(500);
  expect(started).toHaveLength(4);
});

test('members of a group take turns, however much one of them asks for', async () => {
  for (let n = 0; n < 20; n += 1) void ask('flood');
  await pass(0);
  void ask('guest');
  await pass(1000);
  expect(started).toEqual(['flood', 'flood', 'flood', 'guest']);
});

test('a wait that ends with its signal costs the group nothing', async () => {
  for (let n = 0; n < 200; n += 1) {
    const page = new AbortController();
    void ask('flood', page.signal);
    page.abort();
  }
  await pass(0);
  void ask('guest');
  await pass(500);
  expect(started).toEqual(['flood', 'flood', 'guest']);
});

test('groups do not wait for each other', async () => {
  for (let n = 0; n < 20; n += 1) void ask('flood');
  expect(await turns.turn('other room', 'guest', open)).toBe(true);
});

test('work costs what it weighs, and never more than the burst', async () => {
  const heavy = () => turns.turn('room', 'a', open, 1000);
  expect(await heavy()).toBe(true);
  void heavy().then(() => started.push('heavy'));
  await pass(999);
  expect(started).toEqual([]);
  await pass(1);
  expect(started).toEqual(['heavy']);
});

test('after its signal was aborted, work within the burst still starts, and no other', async () => {
  const after = () => turns.turn('room', 'a', AbortSignal.abort());
  expect([await after(), await after(), await after()]).toEqual([true, true, false]);
});
