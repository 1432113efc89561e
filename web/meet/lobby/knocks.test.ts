import { expect, test, vi } from 'vitest';
import type { WaitingGuest } from '#domain/calls/participant.ts';
import { WritableStore } from '#web/live/store.ts';
import { followKnocks } from './knocks.ts';

const guest = (id: string, since = '2026-01-01T10:00:00Z') => ({ id, name: id, since });

function follow() {
  const meeting = new WritableStore<{ guests: readonly WaitingGuest[] }>({ guests: [] });
  const ring = vi.fn();
  let now = 0;
  followKnocks(meeting, ring, () => now);
  const at = (seconds: number, ...guests: WaitingGuest[]) => {
    now = seconds * 1000;
    meeting.update({ guests });
    return ring.mock.calls.length;
  };
  return at;
}

test('guests who arrive in a burst make one sound, a later guest another', () => {
  const at = follow();
  expect(at(1, guest('bo'))).toBe(1);
  expect(at(2, guest('bo'), guest('cy'))).toBe(1);
  expect(at(8, guest('bo'), guest('cy'))).toBe(1);
  expect(at(9, guest('bo'), guest('cy'), guest('dan'))).toBe(2);
});

test('a guest who reloads and keeps the place makes no sound; a new wait does', () => {
  const at = follow();
  expect(at(1, guest('bo'))).toBe(1);
  expect(at(10)).toBe(1);
  expect(at(11, guest('bo'))).toBe(1);
  expect(at(60, guest('bo', '2026-01-01T10:20:00Z'))).toBe(2);
});
