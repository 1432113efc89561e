import type { Term } from '#domain/search/query.ts';
import { wordsOf } from '#domain/search/words.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** As the list of words has them (migration 0067), less one letter. */
const shortestWord = 3;
const longestWord = 25;
/** Words of a query that are looked up. */
const mostCorrected = 6;

const similar: Statement = {
  name: 'similar_search_words',
  text: 'select word from search_similar_words($1)',
};
/** Of how many words the frequency is looked up. */
const mostCounted = 8;
const count: Statement = {
  name: 'count_search_texts',
  text: 'select word, texts from search_count_texts($1)',
};

/**
 * Returns the terms with each word that no text has replaced by the most frequent one that is one typing error away.
 * Null if no word can be corrected.
 */
export async function correctWords(
  at: TenantConnection,
  terms: readonly Term[],
): Promise<{ terms: Term[]; words: string[] } | null> {
  const corrections = new Map<string, string>();
  for (const word of terms.flatMap(({ text }) => wordsOf(text).map((each) => each.word))) {
    if (corrections.has(word) || corrections.size === mostCorrected) continue;
    if (word.length < shortestWord || word.length > longestWord || /\d/.test(word)) continue;
    const best = await correctionOf(at, word);
    if (best) corrections.set(word, best);
  }
  if (corrections.size === 0) return null;
  const corrected = terms.map((term) => {
    const words = wordsOf(term.text).map(({ word }) => corrections.get(word) ?? word);
    const isChanged = wordsOf(term.text).some(({ word }) => corrections.has(word));
    return isChanged ? { ...term, text: words.join(' ') } : term;
  });
  return { terms: corrected, words: [...new Set(corrections.values())] };
}

/** Returns null for a word that texts have, and for one without any that is similar. */
async function correctionOf(at: TenantConnection, typed: string): Promise<string | null> {
  const found = await at.run<{ word: string }>(similar, [withoutEachLetter(typed)]);
  const words = found.map(({ word }) => word);
  if (words.includes(typed)) return null;
  const near = words
    .filter((word) => isOneErrorAway(typed, word))
    .sort((a, b) => closeness(typed, b) - closeness(typed, a))
    .slice(0, mostCounted);
  if (near.length === 0) return null;
  const counted = await at.run<{ word: string; texts: number }>(count, [near]);
  // The list keeps words of deleted texts until a job has forgotten them.
  const [best] = counted
    .filter(({ texts }) => texts > 0)
    .sort((a, b) => rankOf(typed, b) - rankOf(typed, a));
  return best?.word ?? null;
}

const rankOf = (typed: string, { word, texts }: { word: string; texts: number }) =>
  closeness(typed, word) * 1_000 + texts;

/** People rarely mistype the first letter, and often swap two. */
const closeness = (typed: string, word: string) =>
  (typed[0] === word[0] ? 1 : 0) + ([...typed].sort().join() === [...word].sort().join() ? 1 : 0);

function withoutEachLetter(word: string): string[] {
  const letters = [...word];
  return [
    word,
    ...letters.map((_, at) => letters.filter((__, each) => each !== at).join('')),
  ].filter((variant, at, all) => all.indexOf(variant) === at);
}

/** Whether one letter was left out, added, replaced, or swapped with the next. */
export function isOneErrorAway(typed: string, word: string): boolean {
  const [a, b] = [[...typed], [...word]];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length + right.length <= 1 || (left.length === 1 && right.length === 1)) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
