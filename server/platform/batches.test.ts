import { expect, test } from 'vitest';
import { Batches } from './batches.ts';

test('what arrives while a key’s work is under way is done together, and each gets its own result', async () => {
  const done: string[] = [];
  const batches = new Batches<number, number>(3, async (key, items) => {
    done.push(`${key} ${items.join(' ')}`);
    await Promise.resolve();
    if (items.includes(4)) throw new Error('the fourth');
    return items.map((item) => item * 10);
  });
  const other = batches.add('other', 1);
  const all = [1, 2, 3, 4, 5, 6, 7].map((item) => batches.add('one', item));
  const settled = await Promise.allSettled(all);
  expect(done.filter((text) => text.startsWith('one'))).toEqual([
    'one 1',
    'one 2 3 4',
    'one 5 6 7',
  ]);
  expect(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
  ).toEqual([10, ...Array(3).fill('Error: the fourth'), 50, 60, 70]);
  expect(await other).toBe(10);
  expect(await batches.add('one', 8)).toBe(80);
});
