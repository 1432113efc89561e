import { expect, test } from 'vitest';
import { onceForEach } from './once-for-each.ts';

test('each key has one value, which is made when it is first asked for', () => {
  let made = 0;
  const textOf = onceForEach((key: { name: string }, more: string) => {
    made += 1;
    return made === 1 ? undefined : `${key.name} ${more}`;
  });
  const [one, other] = [{ name: 'one' }, { name: 'other' }];
  expect(textOf(one, 'a')).toBeUndefined();
  expect(textOf(one, 'b')).toBeUndefined();
  expect(textOf(other, 'c')).toBe('other c');
  expect(textOf(other, 'd')).toBe('other c');
  expect(made).toBe(2);
});
