import { expect, test } from 'vitest';
import { movedCaret, textDifference } from '#web/calls/text-difference.ts';

const apply = (text: string, { start, removed, inserted }: ReturnType<typeof textDifference>) =>
  text.slice(0, start) + inserted + text.slice(start + removed);

test.each([
  ['', 'a'],
  ['abc', ''],
  ['abc', 'abXc'],
  ['aaaa', 'aaa'],
  ['hello world', 'hello brave world'],
  ['x😀y', 'x😁y'],
  ['😀', '😀😀'],
])('applying the difference turns %j into %j', (from, to) => {
  for (let caret = 0; caret <= to.length; caret += 1)
    expect(apply(from, textDifference(from, to, caret))).toBe(to);
});

test('a letter typed among equal ones is located at the caret', () => {
  expect(textDifference('aaaa', 'aaaaa', 2)).toEqual({ start: 1, removed: 0, inserted: 'a' });
  expect(textDifference('aaaa', 'aaaaa', 5)).toEqual({ start: 4, removed: 0, inserted: 'a' });
});

test('a surrogate pair is never split', () => {
  expect(textDifference('x😀y', 'x😁y')).toEqual({ start: 1, removed: 2, inserted: '😁' });
  expect(textDifference('x🌀y', 'x😀y')).toEqual({ start: 1, removed: 2, inserted: '😀' });
});

test('a caret stays with its letters while others write', () => {
  expect(movedCaret(5, [{ insert: 'abc' }]), 'before it').toBe(8);
  expect(movedCaret(5, [{ retain: 5 }, { insert: 'abc' }]), 'at it').toBe(5);
  expect(movedCaret(5, [{ retain: 7 }, { insert: 'abc' }]), 'after it').toBe(5);
  expect(movedCaret(5, [{ retain: 1 }, { delete: 2 }]), 'deleted before').toBe(3);
  expect(movedCaret(5, [{ retain: 3 }, { delete: 9 }]), 'deleted around').toBe(3);
  expect(movedCaret(5, [{ insert: 'ab' }, { retain: 3 }, { delete: 1 }])).toBe(6);
});
