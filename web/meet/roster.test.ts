import { expect, test } from 'vitest';
import type { Participant } from '#domain/calls/live.ts';
import { greet } from './line/fake-wire.ts';
import { emptyRoster, forgetMissing, nextRoster, othersInMeeting, type Roster } from './roster.ts';

const person = (id: string, changed: Partial<Participant> = {}): Participant => ({
  id,
  kind: 'guest',
  name: id,
  avatar: null,
  media: { audio: true, video: true },
  inMeeting: true,
  connected: true,
  ...changed,
});

const welcome = (participants: Participant[], resumed = false) => greet({ participants, resumed });

const after = (...messages: Parameters<typeof nextRoster>[1][]): Roster =>
  messages.reduce(nextRoster, emptyRoster);
const names = (roster: Roster) => othersInMeeting(roster).map((one) => one.id);

test('the others are those in the meeting, without oneself and without the preview', () => {
  const roster = after(welcome([person('me'), person('ada'), person('bo', { inMeeting: false })]));
  expect(roster.self).toBe('me');
  expect(names(roster)).toEqual(['ada']);
});

test('who joins, changes and leaves is followed, each person once', () => {
  const roster = after(
    welcome([person('me')]),
    { type: 'joined', sequence: 1, participant: person('ada', { inMeeting: false }) },
    { type: 'joined', sequence: 2, participant: person('bo') },
    { type: 'changed', sequence: 3, participant: person('ada', { name: 'Ada' }) },
    { type: 'left', sequence: 4, participantId: 'bo' },
  );
  expect(othersInMeeting(roster).map((one) => one.name)).toEqual(['Ada']);
});

test('a resumed welcome leaves the roster to the messages that were missed', () => {
  const roster = after(welcome([person('ada')]), welcome([], true));
  expect(roster).toEqual(after(welcome([person('ada')])));
});

test('after a restart of the server the absent stay, marked, until they are given up', () => {
  const roster = after(welcome([person('ada'), person('bo')]), welcome([person('bo')]));
  expect(roster.missing).toEqual(['ada']);
  expect(othersInMeeting(roster).find((one) => one.id === 'ada')?.connected).toBe(false);
  expect(names(forgetMissing(roster, () => false))).toEqual(['bo']);
});

test('an absent person of whom media still come is not given up', () => {
  const roster = after(welcome([person('ada'), person('bo')]), welcome([]));
  expect(names(forgetMissing(roster, (id) => id === 'ada'))).toEqual(['ada']);
});

test('a missing person who comes back is not given up', () => {
  const roster = after(welcome([person('ada')]), welcome([]), {
    type: 'joined',
    sequence: 1,
    participant: person('ada'),
  });
  expect(names(forgetMissing(roster, () => false))).toEqual(['ada']);
});

test('a person whose page around the meeting is back before the meeting itself is still awaited', () => {
  const panelOnly = person('ada', { inMeeting: false, media: { audio: false, video: false } });
  const welcomed = after(welcome([person('ada')]), welcome([panelOnly]));
  const told = after(welcome([person('ada')]), welcome([]), {
    type: 'joined',
    sequence: 1,
    participant: panelOnly,
  });
  for (const roster of [welcomed, told]) {
    expect(roster.missing).toEqual(['ada']);
    expect(othersInMeeting(roster)).toEqual([person('ada', { connected: false })]);
    expect(names(forgetMissing(roster, () => false))).toEqual([]);
    const back = nextRoster(roster, { type: 'changed', sequence: 2, participant: person('ada') });
    expect(back.missing).toEqual([]);
    expect(othersInMeeting(back)).toEqual([person('ada')]);
  }
});
