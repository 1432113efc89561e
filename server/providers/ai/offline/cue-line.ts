import { doing } from './commitment-words.ts';
import type { Sentence } from './language.ts';

/** A sentence normalized for the cues, with its original words. */
export interface CueLine {
  /** Lower case, single spaces, names as `@`, quoted words as `"`. */
  text: string;
  sentence: Sentence;
  names: readonly string[];
}

const notNames =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|yes|yeah|ok|okay|sure|right|great|cool|perfect|agreed|thanks|hi|hello|hey|well|so|and|but|please|action|next|let|will|can|could|shall|should|today|tomorrow)$/;

export function cueLine(sentence: Sentence): CueLine {
  const names: string[] = [];
  let isQuoted = false;
  const words = sentence.tokens.map(({ text, word, pos }, at) => {
    if (word === '"') isQuoted = !isQuoted;
    if (isQuoted || word === '"') return '"';
    const isName = pos === 'PROPN' && /^\p{Lu}\p{Ll}+$/u.test(text) && !notNames.test(word);
    if (!isName || (at === 0 && doing.has(word))) return word;
    names.push(text);
    return '@';
  });
  return { text: words.join(' '), sentence, names };
}

const wordAt = (line: CueLine, offset: number) => {
  const skipped = line.text.slice(0, offset).trim();
  return skipped === '' ? 0 : skipped.split(' ').length;
};

export const tokenAt = (line: CueLine, offset: number) =>
  line.sentence.tokens[wordAt(line, offset)];

/** Returns the sentence's original words between two positions of the line. */
export function wordsBetween(line: CueLine, from: number, to = line.text.length): string {
  return line.sentence.tokens
    .slice(wordAt(line, from), wordAt(line, to))
    .map(({ text }) => text)
    .join(' ')
    .replace(/ (n't|'\w+|[.,;:!?%)\]])/g, '$1')
    .replace(/([([$#]) /g, '$1')
    .replace(/ ([-/–]) /g, '$1')
    .trim();
}

/** Returns the first name in this part of the line. */
export function nameIn(line: CueLine, from: number, to: number): string | null {
  const part = line.text.slice(from, to);
  if (!part.includes('@')) return null;
  return line.names[line.text.slice(0, from).split('@').length - 1] ?? null;
}
