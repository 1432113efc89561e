import { expect, test } from 'vitest';
import type { Participant } from '#domain/calls/participant.ts';
import { fakePerson } from '#web/live/fake-person.ts';
import type { Roster } from '#web/live/roster.ts';
import { rosterNews } from './news.ts';

const bo = fakePerson('bo', { name: 'Bo' });
const roster = (...participants: Participant[]): Roster => ({
  self: 'me',
  participants: [{ ...bo, id: 'me', name: 'Me' }, ...participants],
  missing: [],
});
const hand = '2026-03-04T10:00:00Z';

test("another participant's join and departure are announced once, one's own never", () => {
  expect(rosterNews(roster(), roster(bo))).toEqual(['Bo joined']);
  expect(rosterNews(roster(bo), roster({ ...bo, connected: false }))).toEqual([]);
  expect(rosterNews(roster(bo), roster())).toEqual(['Bo left']);
});

test('a screen share and a raised hand are announced when they begin, not while they last', () => {
  const busy = { ...bo, media: { ...bo.media, screen: true, hand } };
  expect(rosterNews(roster(bo), roster(busy))).toEqual([
    'Bo is sharing their screen',
    'Bo raised their hand',
  ]);
  expect(rosterNews(roster(busy), roster({ ...busy, name: 'Bo' }))).toEqual([]);
});
