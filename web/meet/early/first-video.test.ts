// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Participant } from '#domain/calls/participant.ts';
import { fakePerson } from '#web/live/fake-person.ts';
import { emptyRoster } from '#web/live/roster.ts';
import { WritableStore } from '#web/live/store.ts';
import type { MeetingState } from '../meeting-state.ts';
import { dropFirstVideo, firstVideo, videoElementOf } from './first-video.ts';

const ada = fakePerson('ada', { kind: 'staff', name: 'Ada' });
const stream = () => new MediaStream();
const shown = () => document.querySelector('video');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  dropFirstVideo();
  await vi.advanceTimersByTimeAsync(1_000);
  document.body.innerHTML = '';
  vi.useRealTimers();
});

/** The part of a meeting that firstVideo reads, with these other participants. */
function meetingWith(others: Participant[], views: MeetingState['views'] = new Map()) {
  const roster = { ...emptyRoster, self: 'me', participants: others };
  return new WritableStore<Pick<MeetingState, 'phase' | 'roster' | 'views'>>({
    phase: 'meeting',
    roster,
    views,
  });
}

async function isDrawable(meeting: ReturnType<typeof meetingWith>): Promise<() => boolean> {
  let drawable = false;
  void firstVideo(meeting).then(() => {
    drawable = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return () => drawable;
}

test('the page does not wait for a video in a preview, in an empty room, or if all cameras are off', async () => {
  const preview = meetingWith([ada]);
  preview.update({ phase: 'preview' });
  expect((await isDrawable(preview))()).toBe(true);
  expect((await isDrawable(meetingWith([])))()).toBe(true);
  const dark = { ...ada, media: { audio: true, video: false } };
  expect((await isDrawable(meetingWith([dark])))()).toBe(true);
});

test('the first video of another participant plays before the page, which waits for it for a limited time', async () => {
  const meeting = meetingWith([ada]);
  const drawable = await isDrawable(meeting);
  expect(drawable()).toBe(false);
  const video = stream();
  HTMLVideoElement.prototype.requestVideoFrameCallback = () => 1;
  meeting.update({
    views: new Map([
      [
        'ada',
        {
          state: 'connecting',
          audio: null,
          audioReceiver: null,
          video,
          screen: null,
          screenAudio: null,
        },
      ],
    ]),
  });
  expect(shown()?.srcObject).toBe(video);
  await vi.advanceTimersByTimeAsync(300);
  expect(drawable()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(drawable()).toBe(true);
});

test('the page takes over the playing video element, for that stream only', async () => {
  const video = stream();
  await isDrawable(
    meetingWith(
      [ada],
      new Map([
        [
          'ada',
          {
            state: 'connecting',
            audio: null,
            audioReceiver: null,
            video,
            screen: null,
            screenAudio: null,
          },
        ],
      ]),
    ),
  );
  const playing = shown();
  expect(videoElementOf(stream())).not.toBe(playing);
  expect(videoElementOf(video)).toBe(playing);
  expect(videoElementOf(video)).not.toBe(playing);
});

test('a first video that the page has no place for is removed', async () => {
  const views: MeetingState['views'] = new Map([
    [
      'ada',
      {
        state: 'connecting',
        audio: null,
        audioReceiver: null,
        video: stream(),
        screen: null,
        screenAudio: null,
      },
    ],
  ]);
  await isDrawable(meetingWith([ada], views));
  dropFirstVideo();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe(null);
});
