// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { keepIdentity } from './identity.ts';
import { orReturning, readEntry, withoutToken } from './read-entry.ts';

const boot = {
  kind: 'guest',
  organization: { name: 'Northwind', brandColor: '#0f766e', logoUrl: null },
  room: { id: 'r1', topic: 'Review' },
  meetingToken: 'fresh',
};

test("a guest's entry comes from the boot text that the server wrote into the page", () => {
  const entry = readEntry(new URL('https://x.test/join/abc'), JSON.stringify(boot));
  expect(entry).toMatchObject({ kind: 'guest', scope: '/join/abc', token: 'fresh' });
});

test('a staff entry has the token from the address', () => {
  const entry = readEntry(new URL('https://x.test/meet/r1?t=tok'), null);
  expect(entry).toEqual({ kind: 'staff', scope: '/meet/r1', token: 'tok' });
});

test('a refused link has the reason', () => {
  const refused = { kind: 'refused', code: 'gone', message: 'Ask Ada.' };
  expect(readEntry(new URL('https://x.test/join/abc'), JSON.stringify(refused))).toEqual(refused);
});

test('anything else is nowhere', () => {
  expect(readEntry(new URL('https://x.test/join/abc'), null).kind).toBe('nowhere');
  expect(readEntry(new URL('https://x.test/join/abc'), 'cut {').kind).toBe('nowhere');
  expect(readEntry(new URL('https://x.test/join/abc'), '{"kind":"of a newer version"}').kind).toBe(
    'nowhere',
  );
});

test('withoutToken removes the token from the address, and nothing else', () => {
  expect(withoutToken(new URL('https://x.test/meet/r1?t=tok&lang=de#x'))).toBe(
    '/meet/r1?lang=de#x',
  );
});

test('a guest who was in the meeting and reloads after closing time rejoins with the tab’s own token', () => {
  const closed = {
    kind: 'closed',
    organization: boot.organization,
    room: { topic: 'Review' },
    opensAt: null,
    closesAt: null,
    now: '2026-11-21T10:00:00.000Z',
  };
  const entry = readEntry(new URL('https://x.test/join/abc'), JSON.stringify(closed));
  expect(entry).toEqual(closed);
  expect(orReturning(entry, '/join/abc', sessionStorage)).toEqual(closed);
  keepIdentity(sessionStorage, '/join/abc', { token: 'own', inMeeting: true });
  expect(orReturning(entry, '/join/abc', sessionStorage)).toMatchObject({
    kind: 'guest',
    token: null,
  });
  keepIdentity(sessionStorage, '/join/abc', { token: 'own', inMeeting: false });
  expect(orReturning(entry, '/join/abc', sessionStorage)).toEqual(closed);
});
