import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { orgId, roomId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { inProcessBus } from '#server/platform/live-bus.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import type { Admitted } from './admit-participant.ts';
import { type CallChange, listenToCalls } from './call-changes.ts';
import { newPerson, type Person } from './live-person.ts';
import { LiveRoster } from './live-roster.ts';
import type { LiveSession } from './live-session.ts';
import { listenToRoom, type RoomEvent } from './room-events.ts';
import { WorkBudget } from './work-budget.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Guests of an organization: from one address, with as many links as there are guests. */
function guest(id: string, address = '192.0.2.1', of = {}): Person {
  const ids = { participantId: id, orgId: 'org', roomId: 'room', guestLinkId: id };
  const claims = { kind: 'guest', ...ids, ...of };
  const admitted = { claims, tenant: { address }, name: id, avatar: null };
  const person = newPerson(admitted as unknown as Admitted);
  person.sessions.set('meeting', { socket: {} } as LiveSession);
  return person;
}

function roomOf(pages: number) {
  const bus = inProcessBus();
  const told: RoomEvent[] = [];
  listenToRoom(bus, 'room', (event) => told.push(event));
  const services = { bus, log: console, config: { RATE_LIMIT_SCALE: 1 } } as unknown as Services;
  const roster = new LiveRoster(services, () => pages);
  const comeAndLeave = (count: number, from = '192.0.2.1') => {
    for (let n = 0; n < count; n += 1) {
      const person = guest(`${from}-${n}`, from);
      roster.announce(person, 'meeting', false);
      roster.remove(person);
    }
  };
  const heardOf = (id: string) =>
    told.flatMap(({ message }) => {
      if (!message) return [];
      const about = 'participant' in message ? message.participant.id : undefined;
      const left = 'participantId' in message ? message.participantId : undefined;
      return about === id || left === id ? [message.type] : [];
    });
  return { bus, roster, told, comeAndLeave, heardOf };
}

test('R7-8: what a call of a few people does is told at once', () => {
  const { roster, comeAndLeave, told, heardOf } = roomOf(10);
  comeAndLeave(50);
  expect(told).toHaveLength(100);
  const gus = guest('gus');
  roster.announce(gus, 'meeting', false);
  roster.announce(gus, 'meeting', true);
  expect(heardOf('gus')).toEqual(['joined', 'changed', 'restarted']);
});

test('R7-8: those who come and leave are told to many pages at a bounded rate', async () => {
  const { comeAndLeave, told } = roomOf(200);
  comeAndLeave(500);
  // A burst of 20,000 pages.
  expect(told.length).toBeLessThanOrEqual(100);
  await vi.advanceTimersByTimeAsync(1_000);
  // And 4,000 a second.
  expect(told.length).toBeLessThanOrEqual(121);
  await vi.advanceTimersByTimeAsync(60_000);
  // A welcome in the meantime had them in its roster, even if their coming was not announced.
  const left = told.filter(({ message }) => message?.type === 'left');
  expect(left).toHaveLength(500);
  expect(told.length).toBeLessThan(560);
});

test('R7-8: in a flood, a person of another address is announced in turn, and as they are then', async () => {
  const { roster, comeAndLeave, heardOf, told } = roomOf(200);
  comeAndLeave(500);
  const gus = guest('gus', '198.51.100.1');
  roster.announce(gus, 'meeting', false);
  for (let n = 0; n < 20; n += 1) roster.change(gus, { name: `Gus ${n}` });
  await vi.advanceTimersByTimeAsync(200);
  expect(heardOf('gus')).toEqual(['joined']);
  expect(told.some(({ message }) => JSON.stringify(message).includes('Gus 19'))).toBe(true);
});

test('R7-8: in a flood, the changes of a person whom the others know are told as one', async () => {
  const { roster, comeAndLeave, heardOf } = roomOf(200);
  const gus = guest('gus', '198.51.100.1');
  roster.announce(gus, 'meeting', false);
  comeAndLeave(500);
  for (const name of ['Gus 1', 'Gus 2']) roster.change(gus, { name });
  await vi.advanceTimersByTimeAsync(500);
  expect(heardOf('gus')).toEqual(['joined', 'changed']);
});

test('R7-8: in a flood, one who left and returned has a new session for the others', async () => {
  const { roster, comeAndLeave, heardOf } = roomOf(200);
  const gus = guest('gus', '198.51.100.1');
  roster.announce(gus, 'meeting', false);
  comeAndLeave(500);
  roster.remove(gus);
  roster.announce(guest('gus', '198.51.100.1'), 'meeting', false);
  await vi.advanceTimersByTimeAsync(500);
  expect(heardOf('gus')).toEqual(['joined', 'joined', 'restarted']);
});

test('R7-8: in a flood, a signal comes after its sender was announced to its receiver', async () => {
  const { roster, comeAndLeave, told } = roomOf(200);
  comeAndLeave(500);
  const before = told.length;
  const gus = guest('gus', '198.51.100.1');
  roster.announce(gus, 'meeting', false);
  for (const candidate of [null, 'x']) {
    const signal = { candidate } as never;
    roster.relay(gus, 'ada', { type: 'signal', from: 'gus', signal });
  }
  const sent = told.slice(before).map(({ to, message }) => [to, message?.type]);
  expect(sent).toEqual([
    ['ada', 'joined'],
    ['ada', 'signal'],
    ['ada', 'signal'],
  ]);
  await vi.advanceTimersByTimeAsync(200);
  const joined = told.filter(({ message }) => JSON.stringify(message).includes('"gus"')).at(-1);
  expect(joined).toMatchObject({ message: { type: 'joined' }, except: ['gus', 'ada'] });
});

test('R7-8: hellos of all links of one address in an organization share one allowance', () => {
  const budget = new WorkBudget({ RATE_LIMIT_SCALE: 1 });
  const hellos = (count: number, orgId: string) => {
    for (let n = 0; n < count; n += 1) {
      const claims = { kind: 'guest', participantId: `${n}`, orgId, guestLinkId: `${n % 8}` };
      budget.hello(claims as MeetingClaims, '192.0.2.1');
    }
  };
  expect(() => hellos(500, 'org')).toThrow('too many connections');
  expect(() => hellos(80, 'another')).not.toThrow();
});

test('R7-8: of those who came and left in a flood, a bounded number waits to be told of', async () => {
  const { roster, comeAndLeave, told, heardOf } = roomOf(200);
  comeAndLeave(5_000);
  const gus = guest('gus', '198.51.100.1');
  roster.announce(gus, 'meeting', false);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(heardOf('gus')).toEqual(['joined']);
  expect(told.length).toBeLessThan(1_200);
});

test('the team is told in which room a guest came or left, and of no colleague', async () => {
  const { roster, bus } = roomOf(10);
  const [org, room] = [newId(orgId), newId(roomId)];
  const changes: CallChange[] = [];
  listenToCalls(bus, org, (change) => changes.push(change));
  const ada = guest('ada', '192.0.2.1', { kind: 'staff', orgId: org, roomId: room });
  roster.announce(ada, 'meeting', false);
  roster.remove(ada);
  await vi.advanceTimersByTimeAsync(0);
  expect(changes).toEqual([]);
  const gus = guest('gus', '192.0.2.1', { orgId: org, roomId: room });
  roster.announce(gus, 'meeting', false);
  expect(changes).toEqual([{ guestsIn: room }]);
  roster.remove(gus);
  await vi.advanceTimersByTimeAsync(0);
  expect(changes).toEqual([{ guestsIn: room }, { guestsIn: room }]);
});

test('the team is told again of each room with guests in the meeting, once', async () => {
  const { roster, bus } = roomOf(10);
  const org = newId(orgId);
  const rooms = [newId(roomId), newId(roomId)];
  const changes: CallChange[] = [];
  listenToCalls(bus, org, (change) => changes.push(change));
  const people = [...rooms, ...rooms].map((room, n) =>
    guest(`${n}`, '192.0.2.1', { orgId: org, roomId: room }),
  );
  for (const { participant } of people) participant.inMeeting = true;
  const outside = guest('outside', '192.0.2.1', { orgId: org, roomId: newId(roomId) });
  await roster.renew([...people, outside]);
  expect(changes).toEqual(rooms.map((room) => ({ guestsIn: room })));
});

test('a panel is told of again once the process with the meeting page has died', async () => {
  const { bus, roster, heardOf } = roomOf(10);
  const gus = guest('gus');
  gus.sessions.clear();
  gus.sessions.set('panel', { socket: {} } as LiveSession);
  const page = { roomId: 'room', channel: 'meeting' as const, participantId: 'gus' };
  const participant = { ...gus.participant, inMeeting: true };
  await bus.presence.put({ ...page, participant });
  await roster.put(gus, 'panel');
  roster.announce(gus, 'panel', false);
  roster.change(gus, { connected: true });
  await roster.renew([gus]);
  expect(heardOf('gus')).toEqual([]);
  await bus.presence.remove([page]);
  await roster.renew([gus]);
  expect(heardOf('gus')).toEqual(['joined']);
  await roster.renew([gus]);
  expect(heardOf('gus')).toEqual(['joined']);
});
