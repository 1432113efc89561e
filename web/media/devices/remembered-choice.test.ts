// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { openStorage } from '#web/storage/open-storage.ts';
import { readChoice, rememberChoice } from './remembered-choice.ts';
import { rememberedKey } from './remembered-key.ts';

beforeEach(() => {
  localStorage.clear();
});

test('at the first visit there is a preview, with microphone and camera on', () => {
  expect(readChoice(localStorage)).toEqual({ skipPreview: false, audio: true, video: true });
});

test('a changed choice is remembered, and the rest is kept', () => {
  rememberChoice(localStorage, { name: 'Grace', cameraId: 'c1' });
  rememberChoice(localStorage, { skipPreview: true, video: false });
  expect(readChoice(localStorage)).toEqual({
    skipPreview: true,
    audio: true,
    video: false,
    name: 'Grace',
    cameraId: 'c1',
  });
});

test('an invalid stored value counts as none', () => {
  for (const spoilt of ['{', '{"skipPreview":"yes"}', '[]']) {
    localStorage.setItem(rememberedKey, spoilt);
    expect(readChoice(localStorage).skipPreview).toBe(false);
  }
});

test('a browser without storage can still join', () => {
  const storage = openStorage(() => {
    throw new DOMException('', 'SecurityError');
  });
  rememberChoice(storage, { skipPreview: true });
  expect(readChoice(storage).skipPreview).toBe(false);
});
