// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Language } from '#domain/languages.ts';
import { storeLanguage } from '#web/texts/language.ts';

const noon = new Date('2026-03-04T12:00:00Z');

/** The texts of a page that opens in this browser. */
async function open(browser: string[], stored?: Language) {
  if (stored) storeLanguage(stored);
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser);
  const { language } = await import('#web/texts/language.ts');
  const { loadGerman } = await import('#web/texts/german.ts');
  if (language === 'de') await loadGerman();
  const [texts, times, tones, api] = await Promise.all([
    import('#web/platform/texts.ts'),
    import('#web/platform/time-ago.ts'),
    import('#web/dashboard/change-tone.ts'),
    import('#web/platform/api.ts'),
  ]);
  return { ...texts, ...times, ...tones, ...api };
}

beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.restoreAllMocks();
  storeLanguage(null);
});

test('a German browser gets German: texts, plurals, numbers, times', async () => {
  const { t, timeAgo, formatNumber, formatDateTime, changeText } = await open(['de-DE', 'en']);
  expect(document.documentElement.lang).toBe('de');
  expect(t('rooms.calls', { count: 1 })).toBe('1 Gespräch');
  expect(t('rooms.calls', { count: 2 })).toBe('2 Gespräche');
  expect(t('rooms.calls', { count: 1234 })).toBe('1.234 Gespräche');
  expect(t('dashboard.minutes', { value: 12.5 })).toBe('12,5 Min.');
  expect(formatNumber(1234.5)).toBe('1.234,5');
  expect(t('rooms.created', { time: timeAgo('2026-03-04T10:00:00Z', noon) ?? '' })).toBe(
    'Erstellt vor 2 Stunden',
  );
  expect(formatDateTime('2026-03-04T12:00:00Z')).toMatch(/^04\.03\.2026, \d\d:00$/);
  expect(changeText('-0.2')).toBe('-0,2 gegenüber dem Vormonat');
  expect(changeText('+12%')).toMatch(/^\+12\s%/);
});

test('English has the specification’s words, and dates in the reader’s variant of English', async () => {
  const { t, timeAgo, formatDateTime } = await open(['en-GB', 'de']);
  expect(document.documentElement.lang).toBe('en');
  expect(t('rooms.created', { time: timeAgo('2026-03-04T10:00:00Z', noon) ?? '' })).toBe(
    'Created 2 hours ago',
  );
  expect(formatDateTime('2026-03-04T12:00:00Z')).toMatch(/^4 Mar 2026, \d\d:00$/);
});

test('a language that was chosen in this browser has priority over the browser’s languages', async () => {
  expect((await open(['en-US'], 'de')).t('shell.logout')).toBe('Abmelden');
  vi.resetModules();
  expect((await open(['de-DE'], 'en')).t('shell.logout')).toBe('Log out');
});

test('a browser with neither language gets English', async () => {
  expect((await open(['fr-FR'])).t('shell.logout')).toBe('Log out');
});

test('in German a refusal is translated by its code, a field error by its sentence, and all else is unchanged', async () => {
  const { failureOf } = await open(['de']);
  const message = async (problem: object) =>
    (await failureOf(Response.json(problem, { status: 400 }))).serverMessage;
  expect(await message({ code: 'last_admin', message: 'Your organization needs …' })).toBe(
    'Ihre Organisation braucht einen Admin. Machen Sie zuerst eine andere Person zum Admin.',
  );
  expect(await message({ code: 'too_many_login', message: 'Please wait 7 seconds' })).toMatch(
    /^Zu viele Versuche/,
  );
  expect(await message({ code: 'invalid_input', message: 'Topic is required' })).toBe(
    'Bitte geben Sie ein Thema ein',
  );
  expect(await message({ code: 'brand_new', message: 'Nobody translated this' })).toBe(
    'Nobody translated this',
  );
});
