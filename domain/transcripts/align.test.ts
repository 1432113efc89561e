import { describe, expect, test } from 'vitest';
import { alignInSteps, type HeardPhrase } from './align.ts';

function align(lines: readonly HeardPhrase[], phrases: readonly HeardPhrase[]) {
  const steps = alignInSteps(lines, phrases);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** Phrases of different lengths, a second apart. */
const spoken = (lengths: readonly number[], from = 1000): HeardPhrase[] => {
  let at = from;
  return lengths.map((length) => {
    const phrase = { startMs: at, endMs: at + length };
    at += length + 1000;
    return phrase;
  });
};
const later = (phrases: readonly HeardPhrase[], by: (index: number) => number) =>
  phrases.map(({ startMs, endMs }, index) => ({
    startMs: startMs + by(index),
    endMs: endMs + by(index),
  }));
const phrases = spoken([900, 2100, 1500, 4000, 700, 2600, 1200, 3100]);
const startsOf = (lines: readonly HeardPhrase[]) => {
  const { times } = align(lines, phrases);
  return lines.map((_, index) => times.get(index)?.startMs);
};
const starts = phrases.map(({ startMs }) => startMs);

describe('lines get the times of the recorded file', () => {
  test.each([
    ['that are right', () => 0],
    ['whose clock is behind', () => -740],
    [
      'whose clock is two seconds ahead, with an unsteady network',
      (index: number) => 2000 + ((index * 37) % 120),
    ],
    ['whose stream began again with another delay', (index: number) => (index < 4 ? 300 : -600)],
  ])('%s', (_, by) => {
    const lines = later(phrases, by);
    expect(startsOf(lines)).toEqual(starts);
    expect(align(lines, phrases).missing).toEqual([]);
  });
});

test('phrases that were not recognized during the call are missing, and shift no line', () => {
  const lines = later(phrases, () => 450).filter((_, index) => index !== 2 && index !== 5);
  expect(startsOf(lines)).toEqual(starts.filter((_, index) => index !== 2 && index !== 5));
  expect(align(lines, phrases).missing).toEqual([2, 5]);
});

test('lines that end later than their phrases do not move to the next phrase of like length', () => {
  const said = [2100, 2800, 3050, 2580, 2150, 2860, 3100, 2600, 2120, 2850];
  const file = spoken(said, 2000).map((phrase, index) => ({
    startMs: phrase.startMs + 500 * index,
    endMs: phrase.endMs + 500 * index,
  }));
  const lines = file.map(({ startMs, endMs }, index) => ({
    startMs: startMs - 200 - (index % 3) * 30,
    endMs: endMs + 380,
  }));
  const { times, missing } = align(lines, file);
  expect(lines.map((_, index) => times.get(index)?.startMs)).toEqual(
    file.map(({ startMs }) => startMs),
  );
  expect(missing).toEqual([]);
});

test('a line that the recording does not contain keeps its time', () => {
  const lines = [...later(phrases, () => 200), { startMs: 90_000, endMs: 91_000 }];
  expect(startsOf(lines)).toEqual([...starts, undefined]);
  expect(align(lines, []).times.size).toBe(0);
  expect(align([], phrases).missing).toHaveLength(phrases.length);
});

test('a phrase that was cut in two during the call is two lines within it, and none is missing', () => {
  const [first, ...rest] = later(phrases, () => 100).toSpliced(
    3,
    1,
    { startMs: 8600, endMs: 10_600 },
    {
      startMs: 10_600,
      endMs: 12_600,
    },
  );
  const { times, missing } = align(first ? [first, ...rest] : [], phrases);
  expect(missing).toEqual([]);
  expect(times.get(3)?.startMs).toBeGreaterThanOrEqual(phrases[3]?.startMs ?? 0);
  expect(times.get(4)?.startMs).toBeGreaterThan(times.get(3)?.startMs ?? 0);
});

test('R26-B2: a file of very many short phrases is compared in short steps, with few comparisons', () => {
  let compared = 0;
  /** Phrases and lines that count what is read of them. */
  const counted = (count: number, delay: number): HeardPhrase[] =>
    Array.from({ length: count }, (_, index) => ({
      get startMs() {
        compared += 1;
        return index * 420 + delay;
      },
      endMs: index * 420 + 210 + delay,
    }));
  const [lines, phrases] = [counted(5_000, 300), counted(5_000, 0)];
  const steps = alignInSteps(lines, phrases);
  let most = 0;
  let alignment: ReturnType<typeof align> | undefined;
  while (!alignment) {
    compared = 0;
    const step = steps.next();
    most = Math.max(most, compared);
    if (step.done) alignment = step.value;
  }
  expect(most).toBeLessThan(10 * 1_000);
  expect(alignment.times.size).toBe(5_000);
});
