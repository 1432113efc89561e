import { expect, test, vi } from 'vitest';
import { searchQuery } from './contract.ts';

test('R32-C1: a text that is too long is refused before it is parted into words', () => {
  const read = vi.spyOn(String.prototype, 'normalize');
  const { error } = searchQuery.safeParse({ q: 'a '.repeat(8_000) });
  const texts = read.mock.contexts.length;
  read.mockRestore();
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Please use at most 200 characters',
  ]);
  expect(texts).toBe(0);
  expect(searchQuery.safeParse({ q: 'w x y z '.repeat(20) }).error?.issues).toMatchObject([
    { message: 'Please use fewer words' },
  ]);
});
