import { expect, test } from 'vitest';
import { attendance } from '#domain/calls/contract.ts';
import { peopleInCall } from '#web/calls/people-in-call.ts';
import { someId } from '#web/testing/show.tsx';

const stay = (at: number, changed: object) =>
  attendance.parse({
    id: someId(at),
    kind: 'staff',
    accountId: someId(1),
    name: 'Ada',
    avatar: null,
    joinedAt: `2026-03-04T10:0${at}:00Z`,
    leftAt: null,
    ...changed,
  });

test('a member who came back is one person with two stays; two guests with one name are two', () => {
  const guest = { kind: 'guest', accountId: null, name: 'Grace' };
  const people = peopleInCall([stay(1, {}), stay(2, guest), stay(3, {}), stay(4, guest)]);
  expect(people.map(({ name, stays }) => [name, stays.length])).toEqual([
    ['Ada', 2],
    ['Grace', 1],
    ['Grace', 1],
  ]);
});
