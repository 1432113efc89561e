import { expect, test } from 'vitest';
import { appPaths, isAppPath } from './paths.ts';

const filledIn = (path: string) => path.replaceAll(/:\w+/g, 'a-value');

test('each page of the app has its path, also with a slash at its end', () => {
  for (const path of appPaths.map(filledIn)) {
    expect([path, isAppPath(path), isAppPath(`${path}/`)]).toEqual([path, true, true]);
  }
});

test('sections of the app are found without /app, and the others are not', () => {
  for (const path of ['/dashboard', '/rooms/a-value/call', '/settings/team']) {
    expect([path, isAppPath(path)]).toEqual([path, true]);
  }
  expect(isAppPath('/calls/a-value')).toBe(false);
});

test('what is longer, shorter, or unknown is no page', () => {
  const others = [
    '/app/rooms/a/b/call',
    '/app/calls',
    '/app/settings/none',
    '/invite',
    '/apps',
    '',
  ];
  expect(others.filter(isAppPath)).toEqual([]);
});
