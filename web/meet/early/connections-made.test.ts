import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakePerson } from '#web/live/fake-person.ts';
import { emptyRoster } from '#web/live/roster.ts';
import { WritableStore } from '#web/live/store.ts';
import type { PeerView } from '#web/media/peer-view.ts';
import type { MeetingState } from '../meeting-state.ts';
import { connectionsAreMade } from './connections-made.ts';

const ada = fakePerson('ada', { kind: 'staff', name: 'Ada' });
const view = (state: PeerView['state']): MeetingState['views'] =>
  new Map([
    [
      'ada',
      { state, audio: null, audioReceiver: null, video: null, screen: null, screenAudio: null },
    ],
  ]);
const together = { ...emptyRoster, self: 'me', participants: [ada] };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function follow(state: Partial<Pick<MeetingState, 'phase' | 'roster' | 'wait' | 'views'>>) {
  const meeting = new WritableStore<Pick<MeetingState, 'phase' | 'roster' | 'wait' | 'views'>>({
    phase: 'meeting',
    roster: emptyRoster,
    wait: null,
    views: new Map(),
    ...state,
  });
  const seen = { isMade: false };
  void connectionsAreMade(meeting).then(() => {
    seen.isMade = true;
  });
  return { meeting, seen };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

test('waits for the first connection to another participant', async () => {
  const { meeting, seen } = follow({ roster: together, views: view('connecting') });
  await settle();
  expect(seen.isMade).toBe(false);
  meeting.update({ views: view('connected') });
  await settle();
  expect(seen.isMade).toBe(true);
});

test('does not wait outside a meeting, nor in one without other participants', async () => {
  const { seen: preview } = follow({ phase: 'preview' });
  const alone = follow({});
  await settle();
  expect(preview.isMade).toBe(true);
  expect(alone.seen.isMade).toBe(false);
  alone.meeting.update({ roster: { ...emptyRoster, self: 'me' } });
  await settle();
  expect(alone.seen.isMade).toBe(true);
});

test('waits at most for the time limit if no connection is made', async () => {
  const { seen } = follow({ roster: together, views: view('connecting') });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.isMade).toBe(true);
});
