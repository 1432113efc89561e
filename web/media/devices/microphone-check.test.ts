import { expect, test } from 'vitest';
import {
  freshCheck,
  type MicrophoneWindow,
  nextCheck,
  troubleIn,
  windowOf,
} from './microphone-check.ts';

const after = (times: number, heard: Partial<MicrophoneWindow>, from = freshCheck) =>
  Array.from({ length: times }).reduce<typeof freshCheck>(
    (check) => nextCheck(check, { peak: 0.1, clippedShare: 0, awaited: true, ...heard }),
    from,
  );

test('a microphone that is on and completely silent for 15 seconds is reported', () => {
  expect(troubleIn(after(29, { peak: 0 }))).toBe(null);
  expect(troubleIn(after(30, { peak: 0 }))).toBe('silent');
});

test('silence is not reported while another participant speaks, or alone in the meeting', () => {
  expect(troubleIn(after(100, { peak: 0, awaited: false }))).toBe(null);
});

test('any sound ends the check for silence', () => {
  expect(troubleIn(after(1, { peak: 0.001 }, after(40, { peak: 0 })))).toBe(null);
});

test('a microphone that clips half of the time is reported, one loud laugh is not', () => {
  expect(troubleIn(after(6, { clippedShare: 0.1 }))).toBe('clipped');
  expect(troubleIn(after(9, {}, after(3, { clippedShare: 0.1 })))).toBe(null);
});

test('a window has the largest sample and the share of clipped samples', () => {
  expect(windowOf(new Float32Array([0, -1, 0.5, 1]), false)).toEqual({
    peak: 1,
    clippedShare: 0.5,
    awaited: false,
  });
});
