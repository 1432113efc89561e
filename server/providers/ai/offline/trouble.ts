import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentencesOf, type Unease } from './concerns.ts';
import { troubleFeatures, wordsOfLine } from './trouble-words.ts';
import type { Utterance } from './utterances.ts';
import { isCodeLine, type ReadableLanguage } from './which-language.ts';

/** By `scripts/train-trouble.ts`, from labeled notes. */
const weights: ReadonlyMap<string, number> = new Map(
  readFileSync(join(import.meta.dirname, 'words/trouble.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', weight] = line.split('\t');
      return [name, Number(weight)];
    }),
);

/** The weights come from notes: what is longer is a conversation, or several. */
const mostLines = 60;
/** So many lines of notes may begin with a name. */
const mostSpoken = 2 / 3;
/** A sentence is not a note. */
const fewestWords = 10;
/** Of notes by other authors, about one in fourteen without trouble has more. */
export const troubled = -0.4;

export interface Trouble {
  /** More is worse; see `troubled`. */
  score: number;
  /** The line whose words say most of it. */
  worst: Utterance;
}

/** Most lines have a speaker, and not the same one; "Museum: …" is how a note begins. */
function isTranscript(utterances: readonly Utterance[]): boolean {
  const speakers = utterances.flatMap(({ speaker }) => (speaker === null ? [] : [speaker]));
  return new Set(speakers).size > 1 && speakers.length > mostSpoken * utterances.length;
}

/** Returns how much a note sounds like trouble; null where it is too short or too long for notes, or a transcript. */
export function troubleIn(
  utterances: readonly Utterance[],
  language: ReadableLanguage,
  ruled: Unease,
): Trouble | null {
  const [first] = utterances;
  if (!first || utterances.length > mostLines || isTranscript(utterances)) return null;
  if (utterances.reduce((sum, { body }) => sum + body.split(/\s+/).length, 0) < fewestWords)
    return null;
  const lines = utterances.map((said) => wordsOfLine(sentencesOf(said.body), language));
  const score = troubleScore(troubleFeatures(lines, language, ruled), weights);
  const bad = lines.map(({ words, classes }, at) => {
    if (isCodeLine(utterances[at]?.body ?? '')) return Number.NEGATIVE_INFINITY;
    const names = [...words, ...classes.map(([name]) => `class ${name}`)];
    return names.reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
  });
  const worst = utterances[bad.indexOf(Math.max(...bad))] ?? first;
  return { score, worst };
}

/** Returns the weighted sum of a note's features. */
export function troubleScore(
  features: ReadonlyMap<string, number>,
  by: ReadonlyMap<string, number>,
): number {
  let sum = 0;
  for (const [name, value] of features) sum += value * (by.get(name) ?? 0);
  return sum;
}
