import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSentences } from './language.ts';
import { sentimentOf } from './sentiment.ts';
import { readValence } from './valence.ts';

const read = (text: string) => sentimentOf(text, '2026-03-10T14:00:00Z', 'UTC');
const mood = (text: string) => read(text).overallSentiment;

/** The sum of what the words of an English sentence express. */
const words = (text: string) => {
  const found = readSentences(text).map(readValence);
  const sum =
    found.reduce((total, { good, bad }) => total + good + bad, 0) /
    Math.sqrt(Math.max(1, found.length));
  return sum / Math.sqrt(sum * sum + 15);
};

/** Pearson's correlation. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const sum = (of: (at: number) => number) => a.reduce((total, _, at) => total + of(at), 0);
  const fromA = (at: number) => (a[at] ?? 0) - meanA;
  const fromB = (at: number) => (b[at] ?? 0) - meanB;
  return (
    sum((at) => fromA(at) * fromB(at)) /
    Math.sqrt(sum((at) => fromA(at) ** 2) * sum((at) => fromB(at) ** 2))
  );
}

test('the sentiment correlates with a person’s ratings of sentences about products and services', () => {
  const rated = readFileSync(join(import.meta.dirname, 'samples/rated-sentences.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  expect(rated.length).toBeGreaterThan(100);
  const found = correlation(
    rated.map(([rating]) => Number(rating)),
    rated.map(([, sentence = '']) => words(sentence)),
  );
  console.log(`Sentiment: Pearson ${found.toFixed(3)} on ${rated.length} rated sentences`);
  expect(found).toBeGreaterThan(0.85);
});

describe('the first sentence has a better sentiment than the second', () => {
  test.each([
    ['negation', 'It is good.', 'It is not good.'],
    ['a contraction', 'It works well.', "It doesn't work well."],
    ['never', 'It crashed.', 'It never worked and it crashed.'],
    ['a denied problem', 'No problems so far.', 'Problems so far.'],
    ['not only', 'It is not only fast but also reliable.', 'It is not fast.'],
    ['neither nor', 'It is fast and reliable.', 'It is neither fast nor reliable.'],
    ['a doubt', 'I think that it is worth it.', "I don't think that it is worth it."],
    ['an intensifier', 'It is extremely helpful.', 'It is helpful.'],
    ['a dampener', 'It is somewhat slow.', 'It is slow.'],
    ['contrast', 'It is slow, but I love it.', 'I love it, but it is slow.'],
    ['concession', 'Although it is slow, I love it.', 'Although I love it, it is slow.'],
    ['a comparative', 'It is better than the old one.', 'It is not as good as the old one.'],
    ['too much', 'It is small.', 'It is too small.'],
    ['a wish', 'It has a long cord.', 'I wish it had a long cord.'],
    ['what would be better', 'It is better.', 'It would be better if it were cheaper.'],
    ['until', 'It is great.', 'It was great until it stopped working.'],
    ['stars', 'Five stars.', 'One star.'],
    ['emoji', 'The new version 😍', 'The new version 😡'],
    ['a question', 'It is broken.', 'It is broken!!!'],
    ['what others say', 'He said "it is awful", I use it daily.', 'It is awful, I use it daily.'],
    ['spoken words', 'we love it', 'we dont love it'],
    ['capitals', 'It is GREAT to have.', 'It is great to have.'],
  ])('%s', (_, better, worse) => {
    expect(words(better)).toBeGreaterThan(words(worse));
  });
});

test('a text of several sentences has the sentiment of most of them', () => {
  const good = 'Ada: Welcome.\nBen: Thanks, we love the new reports. The rollout went well.';
  expect(mood(good)).toBeGreaterThan(0.3);
  expect(
    mood(`${good}\nBen: The export is terrible. Support is slow. It crashes. We are angry.`),
  ).toBeLessThan(0);
  expect(mood('The call is at ten. We use forty seats.')).toBe(0);
});

test('more evidence in one direction gives more confidence', () => {
  const little = read('It is good.').confidence;
  expect(read('It is good. We love it. Great support!').confidence).toBeGreaterThan(little);
  expect(read('It is good. We hate it. It is slow.').confidence).toBeLessThan(0.7);
  expect(read('The call is at ten.').confidence).toBeLessThan(little);
});

test('concerns are detected where they are raised, not where they are denied', () => {
  for (const text of ['We might cancel.', 'It is too expensive.', 'We look at alternatives.'])
    expect(read(text).concernsDetected, text).toBe(true);
  for (const text of ['We have no plans to cancel.', 'It is not too expensive.', 'All is well.'])
    expect(read(text).concernsDetected, text).toBe(false);
});
