import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { SharedLookUps } from './shared-look-ups.ts';

/** Returns a database whose lookups answer how many had begun, when they are let go. */
function heldDatabase() {
  const held: (() => void)[] = [];
  let begun = 0;
  const lookUp = async () => {
    begun += 1;
    const count = begun;
    await new Promise<void>((go) => held.push(go));
    return [{ count }];
  };
  return { database: { lookUp } as unknown as Database, held };
}

test('requests of one token share the lookup that begins after all of them', async () => {
  const { database, held } = heldDatabase();
  const lookUps = new SharedLookUps<{ count: number }>({ name: 'find', text: 'select $1' });
  const find = (token: string) => lookUps.find(database, Buffer.from(token));
  const first = find('one');
  const later = [find('one'), find('one')];
  const other = find('two');
  expect(held).toHaveLength(2);
  for (const go of held.splice(0)) go();
  expect(await first).toEqual({ count: 1 });
  expect(await other).toEqual({ count: 2 });
  await expect.poll(() => held.length).toBe(1);
  const latest = find('one');
  for (const go of held.splice(0)) go();
  expect(await Promise.all(later)).toEqual([{ count: 3 }, { count: 3 }]);
  await expect.poll(() => held.length).toBe(1);
  for (const go of held.splice(0)) go();
  expect(await latest).toEqual({ count: 4 });
});
