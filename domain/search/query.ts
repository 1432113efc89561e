import { wordsOf, wordsOfName } from './words.ts';

/** More are refused: each word of a query costs a look-up. */
export const mostWords = 32;

/** What a text must contain: one word, or several that follow each other. */
export interface Term {
  /** As it was typed, without quotes. */
  text: string;
  isPhrase: boolean;
}

const quotes = /["“”„«»]/;

/**
 * Returns the terms of a query. Texts in quotes are phrases; a quote that is not closed counts as a space. Everything
 * else that is neither letter nor digit has no meaning.
 */
export function termsOf(query: string): Term[] {
  const parts = query.split(quotes);
  return parts.flatMap((part, at) => {
    const isPhrase = at % 2 === 1 && at < parts.length - 1;
    const texts = isPhrase ? [part.trim()] : part.split(/\s+/);
    return texts
      .filter((text) => wordsOf(text).length > 0)
      .map((text) => ({ text, isPhrase: wordsOf(text).length > 1 }));
  });
}

export const countWords = (terms: readonly Term[]): number =>
  terms.reduce((sum, { text }) => sum + wordsOf(text).length, 0);

/** Words have letters and digits only, and a speaker's a mark before them (migration 0058). */
const quoted = (word: string) => `'${word}'`;

/** Returns PostgreSQL's tsquery of texts that contain all the terms, said by the speaker if there is one. */
export function tsqueryOf(terms: readonly Term[], speaker: string): string {
  const ofTerms = terms.map(({ text }) =>
    wordsOf(text)
      .map(({ word, isStart }) => (isStart ? `${quoted(word)}:*` : quoted(word)))
      .join(' <-> '),
  );
  const ofSpeaker = wordsOfName(speaker).map((word) => quoted(`@${word}`));
  return [...ofTerms.map((each) => `(${each})`), ...ofSpeaker].join(' & ');
}
