import { troubled, troubleScore } from '../../server/providers/ai/offline/trouble.ts';
import type { LabeledFeatures } from './labeled-sets.ts';

const rounds = 40;
const step = 0.1;
const decay = 0.003;
/** There are fewer unhappy customers than others. */
const unhappyShare = 1.5;
const fewestNotes = 2;

/**
 * Returns the weights of a logistic regression (AdaGrad, with weight decay), one for each feature of two notes or more.
 * The same notes in the same order give the same weights.
 */
export function train(notes: readonly LabeledFeatures[]): Map<string, number> {
  const seen = new Map<string, number>();
  for (const { features } of notes)
    for (const name of features.keys()) seen.set(name, (seen.get(name) ?? 0) + 1);
  const names = [...seen].filter(([, count]) => count >= fewestNotes).map(([name]) => name);
  const at = new Map(names.map((name, index) => [name, index]));
  const rows = notes.map(({ features, isUnhappy }) => ({
    isUnhappy,
    values: [...features].flatMap(([name, value]) => {
      const index = at.get(name);
      return index === undefined ? [] : [{ index, value }];
    }),
  }));
  const weights = new Float64Array(names.length);
  const squares = new Float64Array(names.length).fill(1e-6);
  const free = at.get('always');
  for (let round = 0; round < rounds; round += 1) {
    for (const { isUnhappy, values } of rows) {
      const sum = values.reduce((total, { index, value }) => total + w(weights, index) * value, 0);
      const missed = 1 / (1 + Math.exp(-sum)) - (isUnhappy ? 1 : 0);
      const pull = isUnhappy ? missed * unhappyShare : missed;
      for (const { index, value } of values) {
        const slope = pull * value + (index === free ? 0 : decay * w(weights, index));
        squares[index] = w(squares, index) + slope * slope;
        weights[index] = w(weights, index) - (step * slope) / Math.sqrt(w(squares, index));
      }
    }
  }
  return new Map(names.map((name, index) => [name, w(weights, index)]));
}

const w = (of: Float64Array, index: number) => of[index] ?? 0;

export interface HeldOut {
  set: string;
  unhappy: number;
  noticed: number;
  others: number;
  flagged: number;
}

/** Judges each of the sets, or groups of it, by weights that were trained on all others. */
export function rotate(
  notes: readonly LabeledFeatures[],
  by: (note: LabeledFeatures) => string = ({ set }) => set,
  sets: readonly string[] = [...new Set(notes.map(({ set }) => set))],
): HeldOut[] {
  return sets.flatMap((set) => {
    const weights = train(notes.filter((note) => note.set !== set));
    const held = notes.filter((note) => note.set === set);
    return [...new Set(held.map(by))].map((name) => {
      const of = held.filter((note) => by(note) === name);
      const isFlagged = ({ features }: LabeledFeatures) =>
        troubleScore(features, weights) > troubled;
      const unhappy = of.filter(({ isUnhappy }) => isUnhappy);
      const others = of.filter(({ isUnhappy }) => !isUnhappy);
      return {
        set: name,
        unhappy: unhappy.length,
        noticed: unhappy.filter(isFlagged).length,
        others: others.length,
        flagged: others.filter(isFlagged).length,
      };
    });
  });
}
