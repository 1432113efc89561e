import { expect, test } from 'vitest';
import { byUrgency } from './by-urgency.ts';

test('a room where guests wait comes first, then one with a call, however old they are', () => {
  const rooms = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
  const now = [
    { roomId: 'd', waiting: 0 },
    { roomId: 'e', waiting: 1 },
  ];
  expect(byUrgency(rooms, now).map(({ id }) => id)).toEqual(['e', 'd', 'a', 'b', 'c']);
});
