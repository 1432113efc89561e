import { expect, test } from 'vitest';
import { initials, ownName } from './own-name.ts';

test('a name is trimmed, and each gap becomes one space', () => {
  expect(ownName('  Grace \t  Hopper\n')).toBe('Grace Hopper');
});

test('a name without a visible character is none', () => {
  for (const typed of ['', '   ', '\u200b\u0000']) expect(ownName(typed)).toBeNull();
});

test('a name is cut to 80 UTF-16 units, and never inside a character', () => {
  expect(ownName('x'.repeat(200))).toHaveLength(80);
  expect(Array.from(ownName('😀'.repeat(200)) ?? '')).toHaveLength(40);
});

test('initials are those of the first and the last word', () => {
  expect(initials('grace brewster hopper')).toBe('GH');
  expect(initials('Ångström')).toBe('Å');
  expect(initials('(李) 雷')).toBe('李雷');
  expect(initials('– …')).toBe('');
});
