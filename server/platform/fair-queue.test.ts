import { expect, test, vi } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** Creates tasks that end on command, and records which have started. */
function tasks(queue: FairQueue) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (key: string, name: string) =>
    queue.run(
      key,
      () =>
        new Promise<void>((end) => {
          started.push(name);
          ends.set(name, end);
        }),
    );
  const settle = () => new Promise((later) => setImmediate(later));
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { run, started, end, settle };
}

test('keys take turns, each with its share', async () => {
  const { run, started, end, settle } = tasks(
    new FairQueue({ atOnce: 2, perKey: 1, mostWaiting: 9 }),
  );
  for (const name of ['a1', 'a2', 'a3']) void run('a', name);
  for (const name of ['b1', 'b2']) void run('b', name);
  await settle();
  expect(started).toEqual(['a1', 'b1']);
  await end('a1');
  expect(started).toEqual(['a1', 'b1', 'a2']);
});

test('keys that overran share one place and come after all others', async () => {
  const queue = new FairQueue({ atOnce: 2, perKey: 1, mostWaiting: 9 });
  const { run, started, end, settle } = tasks(queue);
  for (const key of ['x', 'y', 'z']) queue.overran(key);
  for (const key of ['x', 'y', 'z']) void run(key, key);
  await settle();
  expect(started, 'one of the slow ones').toEqual(['x']);
  void run('good', 'good');
  await settle();
  expect(started, 'a place is always left for the others').toEqual(['x', 'good']);
  void run('other', 'other');
  await end('x');
  expect(started, 'others come first').toEqual(['x', 'good', 'other']);
  await end('good');
  await end('other');
  expect(started).toEqual(['x', 'good', 'other', 'y']);
});

test('the place of keys that overran rests after a task that overran again, and after no other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const queue = new FairQueue({ atOnce: 2, perKey: 1, mostWaiting: 9, rest: 3 });
    const { run, started, end, settle } = tasks(queue);
    void run('slow', 's1');
    vi.advanceTimersByTime(1_000);
    queue.overran('slow');
    await end('s1');
    void run('slow', 's2');
    void run('good', 'g1');
    vi.advanceTimersByTime(2_990);
    await settle();
    expect(started, 'three times as long as the task took').toEqual(['s1', 'g1']);
    vi.advanceTimersByTime(20);
    await settle();
    expect(started).toEqual(['s1', 'g1', 's2']);
    await end('s2');
    void run('slow', 's3');
    await settle();
    expect(started, 'a task that kept its time is followed at once').toEqual([
      's1',
      'g1',
      's2',
      's3',
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('a long task is followed by a rest of ten seconds at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const queue = new FairQueue({ atOnce: 2, perKey: 1, mostWaiting: 9, rest: 3 });
    const { run, started, end, settle } = tasks(queue);
    void run('slow', 's1');
    vi.advanceTimersByTime(60_000);
    queue.overran('slow');
    await end('s1');
    void run('slow', 's2');
    vi.advanceTimersByTime(10_010);
    await settle();
    expect(started).toEqual(['s1', 's2']);
  } finally {
    vi.useRealTimers();
  }
});

test('a task beyond those that may wait is refused with a Retry-After', async () => {
  const queue = new FairQueue({ atOnce: 1, perKey: 1, mostWaiting: 1 });
  const { run, settle } = tasks(queue);
  void run('a', 'a1');
  void run('a', 'a2');
  await settle();
  await expect(run('a', 'a3')).rejects.toMatchObject({
    code: 'too_many_waiting',
    retryAfterSeconds: 5,
  });
});

test('weighted tasks run together up to the total weight, and a heavier one runs alone', async () => {
  const queue = new FairQueue({ atOnce: 10, perKey: 1, mostWaiting: 1 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (key: string, weight: number) =>
    queue.run(
      key,
      () => {
        begun.push(key);
        return new Promise<void>((end) => ends.set(key, end));
      },
      weight,
    );
  const all = [add('a', 6), add('b', 4), add('c', 50), add('d', 1)];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b']);
  ends.get('a')?.();
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.();
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b', 'c']);
  ends.get('c')?.();
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  ends.get('d')?.();
  await Promise.all(all);
});

test('R5-1: where too many tasks wait in all, the key with the most loses one', async () => {
  const queue = new FairQueue({ atOnce: 1, perKey: 1, mostWaiting: 9, mostInAll: 4 });
  const { run, started, end, settle } = tasks(queue);
  void run('a', 'a1');
  for (const name of ['a2', 'a3', 'a4']) void run('a', name);
  const given = run('a', 'a5');
  void run('b', 'b1');
  await expect(given).rejects.toMatchObject({ code: 'too_many_waiting' });
  for (const name of ['a1', 'b1', 'a2', 'a3']) {
    await settle();
    await end(name);
  }
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
});

test('R5-1: keys that overran lose their tasks first', async () => {
  const queue = new FairQueue({ atOnce: 1, perKey: 1, mostWaiting: 9, mostInAll: 2 });
  const { run, settle } = tasks(queue);
  queue.overran('slow');
  void run('a', 'a1');
  const slow = run('slow', 's1');
  void run('a', 'a2');
  void run('b', 'b1');
  await expect(slow).rejects.toMatchObject({ code: 'too_many_waiting' });
  await settle();
});
