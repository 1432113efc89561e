// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { actionOf, type Pressed, takesSpace } from './shortcuts.ts';

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  code: `Key${key.toUpperCase()}`,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  target: document.body,
  ...more,
});
const field = document.createElement('textarea');

test('shortcuts are those of Meet and of Zoom', () => {
  expect(actionOf(press('d', { ctrlKey: true }))).toBe('microphone');
  expect(actionOf(press('E', { metaKey: true }))).toBe('camera');
  expect(actionOf(press('a', { altKey: true }))).toBe('microphone');
  expect(actionOf(press('h', { altKey: true, ctrlKey: true }))).toBe('hand');
  expect(actionOf(press('h', { altKey: true }))).toBe('chat');
  expect(actionOf(press('?', { shiftKey: true }))).toBe('sheet');
  expect(actionOf(press('d'))).toBe(null);
  expect(actionOf(press('d', { ctrlKey: true, shiftKey: true }))).toBe(null);
});

test('on a Mac, whose Alt key changes the character, a shortcut is recognized by its key code', () => {
  expect(actionOf(press('å', { code: 'KeyA', altKey: true }))).toBe('microphone');
});

test('text fields receive what is typed; Ctrl with D works in them, too', () => {
  expect(actionOf(press('?', { shiftKey: true, target: field }))).toBe(null);
  expect(actionOf(press('å', { code: 'KeyA', altKey: true, target: field }))).toBe(null);
  expect(actionOf(press('c', { altKey: true, ctrlKey: true, target: field }))).toBe(null);
  expect(actionOf(press('d', { ctrlKey: true, target: field }))).toBe('microphone');
});

test('AltGr writes a character and is not a shortcut', () => {
  const altGr = { ctrlKey: true, altKey: true, getModifierState: () => true };
  expect(actionOf(press('c', altGr))).toBe(null);
});

test('Space belongs to a focused field or button', () => {
  const button = document.createElement('button');
  const inside = button.appendChild(document.createElement('span'));
  expect([field, button, inside].map(takesSpace)).toEqual([true, true, true]);
  expect(takesSpace(document.body)).toBe(false);
});
