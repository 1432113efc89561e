import { expect, test } from 'vitest';
import { hasShape, isBoolean, isNullable, isOneOf, isOptional, isText } from './shape.ts';

interface Choice {
  name: string;
  isOn: boolean;
  size: 'small' | 'large';
  note?: string | undefined;
  parent: string | null;
}
const isChoice = (value: unknown) =>
  hasShape<Choice>(value, {
    name: isText,
    isOn: isBoolean,
    size: isOneOf(['small', 'large']),
    note: isOptional(isText),
    parent: isNullable(isText),
  });
const good = { name: 'a', isOn: false, size: 'large', parent: null };

test('a value with all fields has the shape, with and without those that may be absent', () => {
  expect(isChoice(good)).toBe(true);
  expect(isChoice({ ...good, note: 'b', parent: 'c', more: 1 })).toBe(true);
});

test.each([
  ['null', null],
  ['a text', 'a'],
  ['nothing', undefined],
  ['another type of text', { ...good, name: 1 }],
  ['another type of boolean', { ...good, isOn: 'false' }],
  ['an unknown size', { ...good, size: 'medium' }],
  ['another type of note', { ...good, note: null }],
  ['another type of parent', { ...good, parent: 3 }],
  ['a missing field', { ...good, parent: undefined }],
])('%s does not have the shape', (_what, value) => {
  expect(isChoice(value)).toBe(false);
});
