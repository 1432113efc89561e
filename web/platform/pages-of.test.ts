import { expect, test } from 'vitest';
import { nextOf } from '#web/platform/pages-of.ts';

test.each([
  [null, undefined],
  ['</api/calls?before=7>; rel="prev"', undefined],
  ['</api/calls?limit=5>; rel="next"', undefined],
  ['</api/calls?before=7>; rel="next"', { before: '7' }],
  ['</api/calls?before=7> ; rel=next', { before: '7' }],
  ['</api/calls?before=7&beforeKey=a%20b>; rel="next"', { before: '7', beforeKey: 'a b' }],
])('the next page of the link %s begins at %j', (link, next) => {
  expect(nextOf(link)).toEqual(next);
});
