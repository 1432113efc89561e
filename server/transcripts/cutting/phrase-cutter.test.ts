import { describe, expect, test } from 'vitest';
import { EnergyGate } from './energy-gate.ts';
import { PhraseCutter, type SpeechDetector } from './phrase-cutter.ts';
import { loadSilero } from './silero.ts';
import { joined, pinkNoise, silence } from './testing/noise.ts';

const silero = loadSilero();
const detectors: [string, () => SpeechDetector][] = [
  ['the energy gate', () => new EnergyGate()],
  ...(silero ? [['Silero', silero] as [string, () => SpeechDetector]] : []),
];

/** A detector that takes every sample but 0 for speech. */
const anySound: SpeechDetector = {
  isSpeech: (window) => window.some((sample) => sample !== 0),
  reset: () => undefined,
};
const sound = (seconds: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => Math.sin(at / 5) * 0.3);
const cut = (cutter: PhraseCutter, ...pieces: Float32Array[]) =>
  pieces.flatMap((samples) => cutter.push(samples));

describe.each(detectors)('%s', (_, open) => {
  test.each([
    ['digital silence', silence(8)],
    ['pink noise that is there from the start', pinkNoise(8, 0.2)],
    ['pink noise that begins', joined(silence(2), pinkNoise(6, 0.3))],
    ['quiet pink noise', pinkNoise(8, 0.01)],
  ])('finds no phrase in %s', (_name, samples) => {
    const cutter = new PhraseCutter(open());
    expect([...cutter.push(samples), ...cutter.skipTo(8000)]).toEqual([]);
  });
});

test('a phrase ends at a pause of 384 ms, and not at a shorter one', () => {
  const cutter = new PhraseCutter(anySound);
  const phrases = cut(cutter, silence(1), sound(1), silence(0.3), sound(1), silence(0.45));
  expect(phrases).toHaveLength(1);
  const [{ startMs = 0, endMs = 0, samples } = { samples: silence(0) }] = phrases;
  // With the beginning of the pauses around it.
  expect(startMs).toBeGreaterThan(700);
  expect(startMs).toBeLessThan(1000);
  expect(endMs).toBeGreaterThan(3300);
  expect(endMs).toBeLessThan(3600);
  expect(samples.length / 16).toBeCloseTo(endMs - startMs, -1);
});

test('speech without a pause is cut after 15 seconds at most, and nothing of it is lost', () => {
  const cutter = new PhraseCutter(anySound);
  const phrases = [...cut(cutter, sound(40), silence(1))];
  expect(phrases.length).toBeGreaterThan(2);
  for (const { startMs, endMs } of phrases) expect(endMs - startMs).toBeLessThanOrEqual(15_000);
  phrases.slice(1).forEach(({ startMs }, index) => {
    expect(startMs).toBe(phrases[index]?.endMs);
  });
  expect(phrases.at(-1)?.endMs).toBeGreaterThan(40_000);
});

test('a click is no phrase, and a gap in the stream ends the phrase before it', () => {
  const cutter = new PhraseCutter(anySound);
  expect(cut(cutter, silence(1), sound(0.1), silence(1))).toEqual([]);
  cut(cutter, sound(1));
  const [before] = cutter.skipTo(60_000);
  expect(before?.endMs).toBeLessThan(3500);
  const [after] = cut(cutter, sound(1), silence(1));
  expect(after?.startMs).toBe(60_000);
});

test('the same phrases come of any division of the samples', () => {
  const samples = joined(silence(0.5), sound(1.3), silence(0.7), sound(2));
  const whole = new PhraseCutter(anySound);
  const pieces = new PhraseCutter(anySound);
  const expected = [...whole.push(samples), ...whole.skipTo(0)];
  const found = [];
  for (let at = 0; at < samples.length; at += 333) {
    found.push(...pieces.push(samples.slice(at, at + 333)));
  }
  expect([...found, ...pieces.skipTo(0)].map(({ startMs, endMs }) => [startMs, endMs])).toEqual(
    expected.map(({ startMs, endMs }) => [startMs, endMs]),
  );
});

describe('the sound of phrases, while they are said', () => {
  const told: Float32Array[] = [];
  const open = (detector = anySound) => {
    told.length = 0;
    return new PhraseCutter(detector, (window) => told.push(window));
  };
  const samplesOf = (pieces: readonly Float32Array[]) => [...joined(...pieces)];

  test.each([
    [
      'of two phrases',
      [silence(1), sound(1), silence(0.3), sound(1), silence(2), sound(2), silence(1)],
    ],
    ['of one that is cut without a pause', [sound(40), silence(1)]],
    ['of one that the stream ends in', [silence(1), sound(2), silence(0.2)]],
  ])('%s is what the phrases consist of', (_, pieces) => {
    const cutter = open();
    const phrases = [...cut(cutter, ...pieces), ...cutter.skipTo(60_000)];
    expect(phrases.length).toBeGreaterThan(0);
    expect(samplesOf(told)).toEqual(samplesOf(phrases.map(({ samples }) => samples)));
    for (const { startMs, endMs } of phrases) expect(endMs - startMs).toBeLessThanOrEqual(15_000);
  });

  test('comes before the phrase ends, and not for a click', () => {
    const cutter = open();
    cut(cutter, silence(1), sound(0.1), silence(1));
    expect(told).toEqual([]);
    cut(cutter, sound(1));
    expect(told.length).toBeGreaterThan(30);
  });

  test('does not come from a detector that decides about whole phrases', () => {
    cut(open(new EnergyGate()), silence(4), sound(3), silence(1));
    expect(told).toEqual([]);
  });
});
