// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { speakAs } from '#web/auth/account-language.ts';
import { ada } from '#web/testing/show.tsx';
import { storedLanguage, storeLanguage } from '#web/texts/language.ts';

afterEach(() => {
  storeLanguage(null);
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

test('a page in another language than the account’s is reloaded in that language', () => {
  const reload = vi.fn();
  speakAs({ ...ada, language: 'de' }, reload);
  expect(storedLanguage()).toBe('de');
  expect(reload).toHaveBeenCalledOnce();
});

test('without a chosen language, or with the page’s own, nothing happens', () => {
  const reload = vi.fn();
  for (const language of [null, 'en'] as const) speakAs({ ...ada, language }, reload);
  expect(reload).not.toHaveBeenCalled();
  expect(storedLanguage()).toBe(undefined);
});

test('a call page is not reloaded: the next page uses the language', () => {
  const reload = vi.fn();
  window.history.replaceState(null, '', '/app/rooms/1/call');
  speakAs({ ...ada, language: 'de' }, reload);
  expect(storedLanguage()).toBe('de');
  expect(reload).not.toHaveBeenCalled();
});

test('a browser without cookies does not reload forever', () => {
  const reload = vi.fn();
  vi.spyOn(document, 'cookie', 'set').mockReturnValue(undefined);
  speakAs({ ...ada, language: 'de' }, reload);
  expect(reload).not.toHaveBeenCalled();
});
