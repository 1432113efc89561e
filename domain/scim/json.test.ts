import { expect, test } from 'vitest';
import { flawOf, isAbsent, member, sameJson } from './json.ts';

test('members are found by their name in any case, the exact one first', () => {
  expect(member({ UserName: 1 }, 'username')).toBe(1);
  expect(member({ USERNAME: 1, userName: 2 }, 'userName')).toBe(2);
  expect(member({ userName: 1 }, 'name')).toBe(undefined);
  expect(member({}, 'toString')).toBe(undefined);
});

test('null and empty lists are absent; false and empty texts are not', () => {
  expect([undefined, null, []].every(isAbsent)).toBe(true);
  expect([false, '', 0, [null], {}].some(isAbsent)).toBe(false);
});

test.each([
  [[1, { a: 2 }], [1, { a: 2 }], true],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [[1, 2], [1], false],
  [[1], [1, 2], false],
  [[1, 2], [1, 3], false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: undefined }, { b: 1 }, false],
  [[], {}, false],
  [null, {}, false],
  ['1', 1, false],
])('%j and %j are the same: %s', (one, other, same) => {
  expect(sameJson(one, other)).toBe(same);
});

test('a body may be nested 30 deep, and no deeper', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'end' : { a: nested(depth - 1) });
  expect(flawOf(nested(30))).toBe(null);
  expect(flawOf(nested(31))).toBe('This is nested too deeply, or too long.');
});

test('a text or a name that no database can store is refused, wherever it is', () => {
  const broken = 'A text holds a NUL character or half a surrogate pair.';
  expect(flawOf({ a: ['x\0'] })).toBe(broken);
  expect(flawOf({ a: [{ '\ud800': 1 }] })).toBe(broken);
  expect(flawOf({ a: ['\u{1f600}', 1, null, true] })).toBe(null);
});
