// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Participant } from '#domain/calls/live.ts';
import { fakePerson } from '../fake-person.ts';
import type { MeetingState } from '../meeting.ts';
import { emptyRoster } from '../roster.ts';
import { WritableStore } from '../store.ts';
import { dropFirstPicture, firstPicture, pictureOf } from './first-picture.ts';

const ada = fakePerson('ada', { kind: 'staff', name: 'Ada' });
const stream = () => new MediaStream();
const shown = () => document.querySelector('video');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  dropFirstPicture();
  await vi.advanceTimersByTimeAsync(1_000);
  document.body.innerHTML = '';
  vi.useRealTimers();
});

/** The part of a meeting that is looked at, in which others are. */
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
  void firstPicture(meeting).then(() => {
    drawable = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return () => drawable;
}

test('a preview, an empty room and people without a camera are drawn at once', async () => {
  const preview = meetingWith([ada]);
  preview.update({ phase: 'preview' });
  expect((await isDrawable(preview))()).toBe(true);
  expect((await isDrawable(meetingWith([])))()).toBe(true);
  const dark = { ...ada, media: { audio: true, video: false } };
  expect((await isDrawable(meetingWith([dark])))()).toBe(true);
});

test('the others’ picture plays before the page, which waits for it, but not long', async () => {
  const meeting = meetingWith([ada]);
  const drawable = await isDrawable(meeting);
  expect(drawable()).toBe(false);
  const video = stream();
  HTMLVideoElement.prototype.requestVideoFrameCallback = () => 1;
  meeting.update({
    views: new Map([
      [
        'ada',
        { state: 'connecting', audio: null, hearing: null, video, screen: null, screenSound: null },
      ],
    ]),
  });
  expect(shown()?.srcObject).toBe(video);
  await vi.advanceTimersByTimeAsync(300);
  expect(drawable()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(drawable()).toBe(true);
});

test('the page takes the playing picture over, and no other', async () => {
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
            hearing: null,
            video,
            screen: null,
            screenSound: null,
          },
        ],
      ]),
    ),
  );
  const playing = shown();
  expect(pictureOf(stream())).not.toBe(playing);
  expect(pictureOf(video)).toBe(playing);
  expect(pictureOf(video)).not.toBe(playing);
});

test('a picture that the page has no place for goes', async () => {
  const views: MeetingState['views'] = new Map([
    [
      'ada',
      {
        state: 'connecting',
        audio: null,
        hearing: null,
        video: stream(),
        screen: null,
        screenSound: null,
      },
    ],
  ]);
  await isDrawable(meetingWith([ada], views));
  dropFirstPicture();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe(null);
});
