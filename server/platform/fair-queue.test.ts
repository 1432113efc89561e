import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** Tasks that end when they are told to, and the order in which they began. */
function open(shares: ConstructorParameters<typeof FairQueue>[0]) {
  const queue = new FairQueue(shares);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string) =>
    queue.run(name[0] ?? '', async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { add, end, begun };
}

test('keys are served in turn, and a key never has more than its share', async () => {
  const { add, end, begun } = open({ atOnce: 2, perKey: 1, mostWaiting: 10 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void add(name);
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun.at(-1)).toBe('c1');
  await end('b1');
  expect(begun.at(-1)).toBe('a2');
  await end('c1');
  expect(begun.at(-1)).toBe('b2');
  await end('a2');
  expect(begun.at(-1)).toBe('a3');
});

test('one task more than may wait is refused, those of other keys are not', async () => {
  const { add, begun } = open({ atOnce: 1, perKey: 1, mostWaiting: 1 });
  void add('a1');
  void add('a2');
  await expect(add('a3')).rejects.toMatchObject({ kind: 'too_many', code: 'too_many_waiting' });
  void add('b1');
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1']);
});

test('a task that fails gives its place on', async () => {
  const queue = new FairQueue({ atOnce: 1, perKey: 1, mostWaiting: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run('a', async () => 'after')).toBe('after');
});

test('tasks of different weight run together up to the whole weight; a heavier one runs alone', async () => {
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
