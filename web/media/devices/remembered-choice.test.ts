// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { openStorage } from '#web/storage/open-storage.ts';
import { readChoice, rememberChoice } from './remembered-choice.ts';
import { rememberedKey } from './remembered-key.ts';

beforeEach(() => {
  localStorage.clear();
});

test('the first time there is a preview, with microphone and camera', () => {
  expect(readChoice(localStorage)).toEqual({ skipPreview: false, audio: true, video: true });
});

test('what was chosen is there the next time, and the rest stays', () => {
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

test('a spoilt memory is as good as none', () => {
  for (const spoilt of ['{', '{"skipPreview":"yes"}', '[]']) {
    localStorage.setItem(rememberedKey, spoilt);
    expect(readChoice(localStorage).skipPreview).toBe(false);
  }
});

test('a browser that stores nothing still lets one join', () => {
  const storage = openStorage(() => {
    throw new DOMException('', 'SecurityError');
  });
  rememberChoice(storage, { skipPreview: true });
  expect(readChoice(storage).skipPreview).toBe(false);
});
