import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LabeledFeatures, labeledSets } from './labeled-sets.ts';
import { rotate, train } from './training.ts';

const note = (set: string, isUnhappy: boolean, ...names: string[]): LabeledFeatures => ({
  set,
  language: 'en',
  isUnhappy,
  features: new Map(['always', ...names].map((name) => [name, 1])),
});

test('a word of unhappy notes weighs more than one of others, and a word of one note nothing', () => {
  const weights = train([
    note('a', true, 'late', 'monday', 'zebra'),
    note('a', true, 'late'),
    note('a', false, 'thanks', 'monday'),
    note('a', false, 'thanks'),
  ]);
  expect(weights.get('late')).toBeGreaterThan(0.5);
  expect(weights.get('thanks')).toBeLessThan(-0.5);
  expect(weights.has('zebra')).toBe(false);
});

test('a set is judged by the other sets', () => {
  const opposite = [
    ...[1, 2, 3].flatMap(() => [note('a', true, 'x'), note('a', false, 'y')]),
    ...[1, 2, 3].flatMap(() => [note('b', true, 'y'), note('b', false, 'x')]),
  ];
  expect(rotate(opposite)).toEqual([
    { set: 'a', unhappy: 3, noticed: 0, others: 3, flagged: 3 },
    { set: 'b', unhappy: 3, noticed: 0, others: 3, flagged: 3 },
  ]);
});

test('notes of another author are judged within the limits', () => {
  const sets = ['first judge', 'second judge', 'third judge'];
  const judges = rotate(labeledSets(), ({ set }) => set, sets);
  expect(judges).toHaveLength(3);
  for (const { set, unhappy, noticed, others, flagged } of judges) {
    expect(noticed / unhappy, `${set}: unhappy customers noticed`).toBeGreaterThan(0.88);
    expect(flagged / others, `${set}: others flagged`).toBeLessThan(0.13);
  }
});

test('the analyzer has the weights of the labeled notes', () => {
  const file = join(import.meta.dirname, '../../server/providers/ai/offline/words/trouble.tsv');
  const kept = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  const trained = train(labeledSets());
  expect(kept.length).toBeGreaterThan(1000);
  for (const [name = '', weight] of kept) {
    const now = trained.get(name) ?? Number.NaN;
    expect(now, `${name}: run node scripts/train-trouble.ts`).toBeCloseTo(Number(weight), 2);
  }
});
