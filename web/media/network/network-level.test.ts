import { expect, test } from 'vitest';
import {
  beginRating,
  beginSending,
  type ConnectionSample,
  nextRating,
  nextSending,
  type Sending,
} from './network-level.ts';

const good: ConnectionSample = {
  lossOut: 0,
  lossIn: 0,
  roundTripMs: 40,
  availableBitrate: 2_000_000,
  starved: false,
};
const narrow = (kbits: number): ConnectionSample => ({
  ...good,
  availableBitrate: kbits * 1_000,
  starved: true,
});
const lossy = (lossOut: number): ConnectionSample => ({ ...good, lossOut });
const unsaid: ConnectionSample = { ...good, lossOut: null };
const many = (sample: ConnectionSample, count: number) =>
  new Array<ConnectionSample>(count).fill(sample);

function send(samples: readonly ConnectionSample[], begin: Sending = beginSending): Sending {
  return samples.reduce(nextSending, begin);
}

test.for([
  ['a good path keeps the whole picture', many(good, 60), 'full'],
  ['a path that begins slow is given its time', many(narrow(300), 6), 'full'],
  ['a starved picture is halved', [...many(good, 10), ...many(narrow(300), 3)], 'half'],
  ['two bad seconds change nothing', [...many(good, 10), ...many(narrow(100), 2), good], 'full'],
  [
    'with little it goes to the quarter at once',
    [...many(good, 10), ...many(narrow(120), 3)],
    'quarter',
  ],
  [
    'with next to nothing it is paused at once',
    [...many(good, 10), ...many(narrow(40), 3)],
    'paused',
  ],
  [
    'an encoder that does not complain is not waited for',
    [...many(good, 10), ...many({ ...good, availableBitrate: 40_000 }, 3)],
    'paused',
  ],
  [
    'a low estimate of a still picture is no reason',
    many({ ...good, availableBitrate: 200_000 }, 60),
    'full',
  ],
  ['where a tenth gets lost, less is sent', many(lossy(0.2), 3), 'half'],
  ['where it goes on getting lost, nothing but the voice', many(lossy(0.2), 9), 'paused'],
  [
    'a report that got lost itself does not stop the counting',
    [lossy(0.2), unsaid, unsaid, lossy(0.2), unsaid, lossy(0.2)],
    'half',
  ],
  ['a good report does', [lossy(0.2), lossy(0.2), good, lossy(0.2)], 'full'],
  ['where nobody reports anything, nothing is less', many(unsaid, 60), 'full'],
  ['a few lost packets are no reason', many(lossy(0.06), 60), 'full'],
  ['a starved picture with enough for it stays', many(narrow(600), 60), 'full'],
  [
    'a browser that tells no bitrate yields to loss alone',
    many({ ...good, availableBitrate: null, starved: true }, 60),
    'full',
  ],
] as const)('%s', ([, samples, level]) => {
  expect(send(samples).level).toBe(level);
});

test('the video grows back step by step once the connection is good for five seconds', () => {
  let sending = send([...many(good, 10), ...many(narrow(40), 3)]);
  const seen = [];
  for (let second = 0; second < 16; second += 1) {
    sending = nextSending(sending, good);
    seen.push(sending.level);
  }
  expect([seen[3], seen[4], seen[9], seen[14]]).toEqual(['paused', 'quarter', 'half', 'full']);
});

test('each step up that failed doubles the wait for the next one, up to a minute', () => {
  const paused = send([...many(good, 10), ...many(narrow(40), 3)]);
  const waits = [];
  let sending = paused;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    let waited = 0;
    while (sending.level === 'paused') {
      sending = nextSending(sending, good);
      waited += 1;
    }
    waits.push(waited);
    sending = send(many(lossy(0.3), 3), sending);
  }
  expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
});

test('a step up that lasts resets the wait', () => {
  const wary: Sending = { ...beginSending, level: 'quarter', patience: 40, climbed: true };
  expect(send(many(good, 20), wary).patience).toBe(5);
});

test('the quality drops after three worse seconds, and rises after six better ones', () => {
  const rate = (samples: readonly ConnectionSample[]) =>
    samples.reduce(nextRating, beginRating).quality;
  const weak: ConnectionSample = { ...good, lossIn: 0.08 };
  const bad: ConnectionSample = { ...good, roundTripMs: 1_500 };
  expect(rate(many(good, 5))).toBe('good');
  expect(rate(many(weak, 2))).toBe('good');
  expect(rate(many(weak, 3))).toBe('weak');
  expect(rate(many(bad, 3))).toBe('bad');
  expect(rate([...many(bad, 3), ...many(good, 5)])).toBe('bad');
  expect(rate([...many(bad, 3), ...many(good, 6)])).toBe('good');
  expect(rate([weak, weak, good, weak, weak])).toBe('good');
});
