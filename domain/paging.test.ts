import { expect, test } from 'vitest';
import { pageQuery, searchText } from './paging.ts';

test('a page has 100 items unless 1 to 200 are asked for', () => {
  expect(pageQuery.parse({})).toEqual({ limit: 100 });
  expect(pageQuery.parse({ limit: '200' }).limit).toBe(200);
  expect(pageQuery.parse({ limit: '1' }).limit).toBe(1);
  for (const limit of ['0', '201', '1.5', 'all'])
    expect(pageQuery.safeParse({ limit }).success, limit).toBe(false);
  expect(pageQuery.safeParse({ before: 'x' }).success).toBe(false);
});

test('a search is trimmed, has at most 200 characters, and no NUL', () => {
  expect(searchText.parse('  acme ')).toBe('acme');
  expect(searchText.safeParse('a'.repeat(200)).success).toBe(true);
  expect(searchText.safeParse('a'.repeat(201)).error?.issues[0]?.message).toBe(
    'Please use at most 200 characters',
  );
  expect(searchText.safeParse('a\0b').error?.issues[0]?.message).toBe(
    'Please remove the NUL character.',
  );
});
