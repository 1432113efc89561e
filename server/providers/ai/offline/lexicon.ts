import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'words');
const lines = (name: string) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Values from -4 (very bad) to 4 (very good). */
export interface Lexicon {
  words: ReadonlyMap<string, number>;
  /** Words joined by single spaces. */
  phrases: ReadonlyMap<string, number>;
  longestPhrase: number;
}

/** Loads the word lists of `words/`; ours take precedence. Each list names its source. */
export function openLexicon(): Lexicon {
  const words = new Map<string, number>();
  for (const line of lines('vader.tsv')) {
    const [word = '', value] = line.split('\t');
    words.set(word, Number(value));
  }
  const phrases = new Map<string, number>();
  for (const line of lines('ours.txt')) {
    const [, value = '', rest = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    if (rest.includes(';')) {
      for (const phrase of rest.split(';')) phrases.set(phrase.trim(), Number(value));
    } else {
      for (const word of rest.split(' ')) words.set(word, Number(value));
    }
  }
  const longestPhrase = Math.max(...[...phrases.keys()].map((key) => key.split(' ').length));
  return { words, phrases, longestPhrase };
}
