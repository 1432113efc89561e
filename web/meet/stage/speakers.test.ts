import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakePerson } from '#web/live/fake-person.ts';
import { emptyRoster } from '#web/live/roster.ts';
import { WritableStore } from '#web/live/store.ts';
import { FakeTrack } from '#web/media/fakes.ts';
import { Speakers } from './speakers.ts';

let timestamp = 0;
let audioLevel = 0;
let own = 0;
const bo = fakePerson('bo', { name: 'Bo' });
const view = {
  state: 'connected' as const,
  audio: null,
  audioReceiver: {
    track: new FakeTrack('audio'),
    getSynchronizationSources: () => [
      { source: 1, timestamp, rtpTimestamp: timestamp, audioLevel },
    ],
  },
  video: null,
  screen: null,
  screenAudio: null,
};
const meeting = new WritableStore({
  roster: { ...emptyRoster, self: 'me', participants: [bo] },
  views: new Map([['bo', view]]),
});
let awaited: boolean | null = null;
const microphone = {
  measure: (now: boolean) => {
    awaited = now;
    return own;
  },
  trouble: null,
  stop: vi.fn(),
};
let speakers: Speakers;
let stop: () => void;

/** Packets keep arriving, each with that level. */
function hear(level: number, seconds: number): void {
  audioLevel = level;
  for (let step = 0; step < seconds * 10; step += 1) {
    timestamp += 100;
    vi.advanceTimersByTime(100);
  }
}
const speaking = () => speakers.getSnapshot().speaking;

beforeEach(() => {
  vi.useFakeTimers();
  own = 0;
  meeting.update({ roster: { ...emptyRoster, self: 'me', participants: [bo] } });
  speakers = new Speakers(meeting, microphone);
  stop = speakers.follow();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('a participant who is heard is speaking, and stays active afterwards', () => {
  hear(0.3, 1);
  expect(speakers.getSnapshot()).toMatchObject({ speaking: ['bo'], active: 'bo' });
  hear(0, 3);
  expect(speakers.getSnapshot()).toMatchObject({ speaking: [], active: 'bo' });
});

test.each([0, 20, 40, 60, 80])(
  'a beep of 40 ms twice a second, offset by %i ms, is detected',
  (phase) => {
    for (let at = 0; at < 5_000; at += 10) {
      timestamp += 10;
      audioLevel = (at + 500 - phase) % 500 < 40 ? 0.4 : 0;
      vi.advanceTimersByTime(10);
    }
    expect(speakers.getSnapshot().active).toBe('bo');
  },
);

test('the last level of a source without new packets does not count', () => {
  hear(0.3, 1);
  vi.advanceTimersByTime(3_000);
  expect(speaking()).toEqual([]);
});

test('a muted participant is not speaking', () => {
  const muted = { ...bo, media: { audio: false, video: true } };
  meeting.update({ roster: { ...emptyRoster, self: 'me', participants: [muted] } });
  hear(0.3, 1);
  expect(speaking()).toEqual([]);
});

test('this participant can be speaking, but never active', () => {
  own = 0.4;
  hear(0, 1);
  expect(speakers.getSnapshot()).toMatchObject({ speaking: ['me'], active: null });
});

test('the others are awaited while they are present and silent', () => {
  hear(0, 1);
  expect(awaited).toBe(true);
  hear(0.3, 1);
  expect(awaited).toBe(false);
  hear(0, 3);
  meeting.update({ roster: { ...emptyRoster, self: 'me', participants: [] } });
  hear(0, 1);
  expect(awaited).toBe(false);
});

test('after the call no audio is measured', () => {
  hear(0.3, 1);
  stop();
  expect(speaking()).toEqual([]);
  expect(microphone.stop).toHaveBeenCalled();
});
