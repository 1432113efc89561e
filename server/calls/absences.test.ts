import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OrgId, orgId, roomId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { inProcessBus } from '#server/platform/live-bus.ts';
import { Absences } from './absences.ts';
import { newPerson, type Person } from './live-person.ts';
import { LiveSession } from './live-session.ts';
import { LocalRooms } from './local-room.ts';
import { NotesTurns } from './notes-turns.ts';
import { sendNotes } from './panel-state.ts';

const org = newId(orgId);
const room = newId(roomId);
let made = 0;

/** A guest of this address whose page has lost its socket. */
function guest(address: string, { inRoom = room, of = org as OrgId } = {}): Person {
  const claims = { kind: 'guest', participantId: `${++made}`, orgId: of, roomId: inRoom };
  const person = newPerson({ claims, tenant: { address }, name: 'Gus' } as never);
  person.sessions.set('meeting', new LiveSession('meeting', 'org'));
  return person;
}
const fakeSocket = () => ({ send: () => undefined, close: () => undefined, bufferedAmount: 0 });

let left: Person[];
let absences: Absences;
beforeEach(() => {
  vi.useFakeTimers();
  left = [];
  absences = new Absences((person, channel) => {
    person.sessions.delete(channel);
    absences.over(person, channel);
    left.push(person);
  });
});
afterEach(() => vi.useRealTimers());
const drop = (people: Person[]) => {
  for (const person of people) absences.begin(person, 'meeting');
};
const several = (count: number, make: (n: number) => Person) =>
  Array.from({ length: count }, (_, n) => make(n));

test('R8-8: an organization keeps the places of twenty guests of an address, whatever their rooms and links', () => {
  const people = several(25, () => guest('192.0.2.1', { inRoom: newId(roomId) }));
  drop(people);
  expect(left).toEqual(people.slice(0, 5));
  drop([guest('192.0.2.1', { of: newId(orgId) }), guest('192.0.2.2')]);
  expect(left).toHaveLength(5);
});

test('R8-8: beyond a hundred in a room, the address with the most gives places up, and others keep theirs', () => {
  const alone = several(60, (n) => guest(`192.0.2.${n}`));
  drop(alone);
  drop(several(60, (n) => guest(`198.51.100.${n % 3}`)));
  expect(left).toHaveLength(20);
  expect(left.filter((person) => alone.includes(person))).toEqual([]);
  left = [];
  drop(several(200, (n) => guest(`203.0.113.${n}`)));
  expect(left.filter(({ admitted }) => admitted.tenant.address?.startsWith('203'))).toEqual([]);
});

test('a place that was taken again, or has run out, is not counted any more', async () => {
  const people = several(20, () => guest('192.0.2.1'));
  drop(people);
  for (const person of people.slice(0, 10)) absences.end(person, 'meeting');
  drop(several(10, () => guest('192.0.2.1')));
  expect(left).toEqual([]);
  await vi.runAllTimersAsync();
  expect(left).toHaveLength(20);
  drop(several(20, () => guest('192.0.2.1')));
  expect(left).toHaveLength(20);
});

test('R8-7: a page that is gone has 64 KB kept, and starts a new session past that', () => {
  const session = new LiveSession('meeting', 'org');
  const socket = fakeSocket() as never;
  session.attach(socket, {} as never, 0);
  const signal = { type: 'note' as const, callId: 'c', update: 'x'.repeat(19_000) };
  for (let n = 0; n < 10; n += 1) session.send({ ...signal });
  expect(session.canResume(0)).toBe(true);
  session.detach(socket);
  expect([session.canResume(6), session.canResume(7)]).toEqual([false, true]);
  session.send({ ...signal });
  expect([session.canResume(7), session.canResume(8)]).toEqual([false, true]);
});

test('R8-8: a page that is gone counts as a receiver', () => {
  const rooms = new LocalRooms(inProcessBus(), () => undefined);
  const people = rooms.open(room).people;
  for (const person of several(3, () => guest('192.0.2.1')))
    people.set(person.participant.id, person);
  expect(rooms.receivers(room, { message: { type: 'joined' } } as never)).toBe(3);
});

test('R8-11: the notes are not read for a panel that has closed', async () => {
  const session = new LiveSession('panel', 'org');
  const socket = fakeSocket() as never;
  session.attach(socket, {} as never, 0);
  session.detach(socket);
  const transaction = vi.fn();
  const person = {
    admitted: { claims: { kind: 'staff', orgId: org, accountId: 'a' }, tenant: { transaction } },
  };
  await sendNotes({} as never, new NotesTurns(), { person, session, call: { id: 'c' } } as never);
  expect(transaction).not.toHaveBeenCalled();
});
