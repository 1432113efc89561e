import { expect, test } from 'vitest';
import { beginPace, isTooSlow, nextPace, type Pace } from './pace.ts';

/** So many seconds of frames, each of which takes a while to draw. */
function after(
  seconds: number,
  frameEveryMs: number,
  drawnInMs: number,
  from = beginPace(0),
): Pace {
  let pace = from;
  const begin = from.from;
  for (let at = begin; at < begin + seconds * 1_000; at += frameEveryMs)
    pace = nextPace(pace, at, at + drawnInMs);
  return pace;
}

test('fewer than 12 drawn frames a second for four seconds are too slow, three seconds are borne', () => {
  expect(isTooSlow(after(3.5, 100, 100))).toBe(false);
  expect(isTooSlow(after(5, 100, 100))).toBe(true);
});

test('a camera that gives few frames in the dark is not taken for a slow machine', () => {
  expect(isTooSlow(after(20, 125, 30))).toBe(false);
});

test('a machine that is busy all the time and draws 20 frames a second is fast enough', () => {
  expect(isTooSlow(after(20, 50, 49))).toBe(false);
});

test('one second that goes well begins the count anew', () => {
  expect(isTooSlow(after(3, 100, 100, after(2, 40, 20, after(3, 100, 100))))).toBe(false);
});
