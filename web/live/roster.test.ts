import { expect, test } from 'vitest';
import type { Participant } from '#domain/calls/participant.ts';
import { fakePerson } from '#web/live/fake-person.ts';
import { greet } from './fake-web-socket.ts';
import { emptyRoster, forgetMissing, nextRoster, othersInMeeting, type Roster } from './roster.ts';

const welcome = (participants: Participant[], resumed = false) => greet({ participants, resumed });

const after = (...messages: Parameters<typeof nextRoster>[1][]): Roster =>
  messages.reduce(nextRoster, emptyRoster);
const names = (roster: Roster) => othersInMeeting(roster).map((one) => one.id);

test('othersInMeeting leaves out oneself and participants in the preview', () => {
  const roster = after(
    welcome([fakePerson('me'), fakePerson('ada'), fakePerson('bo', { inMeeting: false })]),
  );
  expect(roster.self).toBe('me');
  expect(names(roster)).toEqual(['ada']);
});

test('follows joins, changes, and departures, and lists each participant once', () => {
  const roster = after(
    welcome([fakePerson('me')]),
    { type: 'joined', sequence: 1, participant: fakePerson('ada', { inMeeting: false }) },
    { type: 'joined', sequence: 2, participant: fakePerson('bo') },
    { type: 'changed', sequence: 3, participant: fakePerson('ada', { name: 'Ada' }) },
    { type: 'left', sequence: 4, participantId: 'bo' },
  );
  expect(othersInMeeting(roster).map((one) => one.name)).toEqual(['Ada']);
});

test('a resumed welcome leaves the roster to the messages that were missed', () => {
  const roster = after(welcome([fakePerson('ada')]), welcome([], true));
  expect(roster).toEqual(after(welcome([fakePerson('ada')])));
});

test('after a restart of the server, missing participants stay as disconnected until they are forgotten', () => {
  const roster = after(welcome([fakePerson('ada'), fakePerson('bo')]), welcome([fakePerson('bo')]));
  expect(roster.missing).toEqual(['ada']);
  expect(othersInMeeting(roster).find((one) => one.id === 'ada')?.connected).toBe(false);
  expect(names(forgetMissing(roster, () => false))).toEqual(['bo']);
});

test('a missing participant whose media still arrive is not forgotten', () => {
  const roster = after(welcome([fakePerson('ada'), fakePerson('bo')]), welcome([]));
  expect(names(forgetMissing(roster, (id) => id === 'ada'))).toEqual(['ada']);
});

test('a missing participant who comes back is not forgotten', () => {
  const roster = after(welcome([fakePerson('ada')]), welcome([]), {
    type: 'joined',
    sequence: 1,
    participant: fakePerson('ada'),
  });
  expect(names(forgetMissing(roster, () => false))).toEqual(['ada']);
});

test('a participant stays missing while only the page around the meeting is back', () => {
  const panelOnly = fakePerson('ada', { inMeeting: false, media: { audio: false, video: false } });
  const welcomed = after(welcome([fakePerson('ada')]), welcome([panelOnly]));
  const told = after(welcome([fakePerson('ada')]), welcome([]), {
    type: 'joined',
    sequence: 1,
    participant: panelOnly,
  });
  for (const roster of [welcomed, told]) {
    expect(roster.missing).toEqual(['ada']);
    expect(othersInMeeting(roster)).toEqual([fakePerson('ada', { connected: false })]);
    expect(names(forgetMissing(roster, () => false))).toEqual([]);
    const back = nextRoster(roster, {
      type: 'changed',
      sequence: 2,
      participant: fakePerson('ada'),
    });
    expect(back.missing).toEqual([]);
    expect(othersInMeeting(back)).toEqual([fakePerson('ada')]);
  }
});
