import { expect, test } from 'vitest';
import { onceForEach } from './once-for-each.ts';

test('each key has one value, which is made when it is first asked for', () => {
  let made = 0;
  const valueOf = onceForEach((key: { name: string }, more: string) => {
    made += 1;
    return made === 1 ? undefined : `${key.name} ${more}`;
  });
  const [one, other] = [{ name: 'one' }, { name: 'other' }];
  expect(valueOf(one, 'a')).toBeUndefined();
  expect(valueOf(one, 'b')).toBeUndefined();
  expect(valueOf(other, 'c')).toBe('other c');
  expect(valueOf(other, 'd')).toBe('other c');
  expect(made).toBe(2);
});
