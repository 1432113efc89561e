import { expect, test } from 'vitest';
import { beginPace, isTooSlow, nextPace, type Pace } from './pace.ts';

/** The pace after so many seconds of frames that each take `drawnInMs` to draw. */
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

test('fewer than 12 drawn frames a second is too slow after four seconds, not after three', () => {
  expect(isTooSlow(after(3.5, 100, 100))).toBe(false);
  expect(isTooSlow(after(5, 100, 100))).toBe(true);
});

test('a camera with a low frame rate in the dark does not count as a slow machine', () => {
  expect(isTooSlow(after(20, 125, 30))).toBe(false);
});

test('a machine that is always busy and draws 20 frames a second is fast enough', () => {
  expect(isTooSlow(after(20, 50, 49))).toBe(false);
});

test('one good second restarts the count', () => {
  expect(isTooSlow(after(3, 100, 100, after(2, 40, 20, after(3, 100, 100))))).toBe(false);
});
