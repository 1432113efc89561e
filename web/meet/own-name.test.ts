import { expect, test } from 'vitest';
import { initials, ownName } from './own-name.ts';

test('a name is trimmed, and its gaps made one space', () => {
  expect(ownName('  Grace \t  Hopper\n')).toBe('Grace Hopper');
});

test('nothing but space, or what nobody sees, is no name', () => {
  for (const typed of ['', '   ', '\u200b\u0000']) expect(ownName(typed)).toBeNull();
});

test('a name has at most 80 characters, and none is cut in half', () => {
  expect(ownName('x'.repeat(200))).toHaveLength(80);
  expect(Array.from(ownName('😀'.repeat(200)) ?? '')).toHaveLength(40);
});

test('initials are those of the first and the last word', () => {
  expect(initials('grace brewster hopper')).toBe('GH');
  expect(initials('Ångström')).toBe('Å');
  expect(initials('(李) 雷')).toBe('李雷');
  expect(initials('– …')).toBe('');
});
