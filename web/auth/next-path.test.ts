import { expect, test } from 'vitest';
import { nextPath, signInPath } from '#web/auth/next-path.ts';

const origin = 'https://rapport.example';
const after = (next: string) => nextPath(`?next=${encodeURIComponent(next)}`, origin);

test('a path of this site is the destination after signing in', () => {
  expect(after('/app/rooms?x=1#top')).toBe('/app/rooms?x=1#top');
  expect(nextPath('', origin)).toBe(null);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'https://evil.example/app',
  'javascript:alert(1)',
  'app',
  '',
  '/auth',
  '/auth?next=/auth',
])('%j is not a destination', (next) => {
  expect(after(next)).toBe(null);
});

test('the current page survives the detour to the sign-in page', () => {
  const path = signInPath({ pathname: '/app/rooms', search: '?a=1&b=2' });
  expect(nextPath(path.slice(path.indexOf('?')), origin)).toBe('/app/rooms?a=1&b=2');
});
