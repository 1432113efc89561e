import type { Sentence, Token } from './language.ts';
import { type Lexicon, openLexicon } from './lexicon.ts';
import { boosters, cues, wordsOf } from './valence-words.ts';

/** A sentence's sentiment: the sums of its positive and of its negative words in context. */
export interface Valence {
  good: number;
  bad: number;
  /** The rated words, with their values in this sentence. */
  hits: readonly { word: string; value: number }[];
}

interface Unit extends Token {
  value: number | undefined;
}

let lexicon: Lexicon | undefined;

/** Rates one sentence by the lexicon and the context of its words. */
export function readValence({ tokens }: Sentence): Valence {
  lexicon ??= openLexicon();
  const units = unitsOf(tokens, lexicon);
  const values = units.map((unit, at) =>
    unit.value === undefined ? adjectiveAfterToo(units, at) : inContext(units, at, unit.value),
  );
  quoted(units, values);
  contrasted(units, values);
  const hits = units.flatMap(({ word }, at) => {
    const value = values[at] ?? 0;
    return value === 0 ? [] : [{ word, value }];
  });
  hits.push(...wholeSentence(units), ...bareNegations(units));
  const emphasis = emphasisOf(units);
  let good = 0;
  let bad = 0;
  for (const { value } of hits) {
    if (value > 0) good += value * emphasis;
    else bad += value * emphasis;
  }
  return { good, bad, hits };
}

/** Combines phrases of the lexicon into one unit, the longest match first. */
function unitsOf(tokens: readonly Token[], { words, phrases, longestPhrase }: Lexicon): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < tokens.length; ) {
    let taken = 0;
    for (let length = Math.min(longestPhrase, tokens.length - at); length > 1; length -= 1) {
      const phrase = tokens
        .slice(at, at + length)
        .map((token) => token.word)
        .join(' ');
      const value = phrases.get(phrase);
      if (value === undefined) continue;
      const first = tokens[at];
      if (first)
        units.push({ text: phrase, word: phrase, pos: 'PHRASE', value: value || undefined });
      taken = length;
      break;
    }
    const token = tokens[at];
    if (taken === 0 && token) units.push({ ...token, value: lexiconValue(token, words, at === 0) });
    at += taken || 1;
  }
  return units;
}

function lexiconValue(
  { word, text, pos }: Token,
  words: Lexicon['words'],
  isFirst: boolean,
): number | undefined {
  if (wordsOf.negation.has(word) || boosters.has(word)) return undefined;
  const emoji = cues.emoji.get(text);
  if (emoji !== undefined) return emoji;
  // "I like it", but not "like a brick".
  if (word === 'like' || word === 'likes' || word === 'liked')
    return pos === 'VERB' ? cues.like : undefined;
  if (word === 'well') return pos === 'ADV' ? cues.well : undefined;
  // A name expresses no opinion.
  const isName = pos === 'PROPN' && !isFirst && /^[A-Z][a-z]/.test(text);
  if (isName && Math.abs(words.get(word) ?? 0) < 2) return undefined;
  const known = words.get(word) ?? ofBase(word, words);
  return known || undefined;
}

/** "Sturdier" and "sluggishness" have the value of their base words. */
function ofBase(word: string, words: Lexicon['words']): number | undefined {
  if (word.length < 5) return undefined;
  for (const [ending, by] of cues.endings) {
    if (!ending.test(word)) continue;
    const value = words.get(word.replace(ending, by));
    if (value) return value;
  }
  const negated = /^(?:un|in|im|ir|dis|non)-?(?=\p{L}{4})/u;
  const opposite = negated.test(word) ? words.get(word.replace(negated, '')) : undefined;
  return opposite && opposite > 0 ? -cues.notGood * opposite : undefined;
}

/** Applies intensifiers, dampeners and negations among the preceding words. */
function inContext(units: readonly Unit[], at: number, value: number): number {
  let result = value;
  for (let back = 1; back <= 3; back += 1) {
    const before = units[at - back];
    if (!before || endsScope(before)) break;
    const boost = boosters.get(before.word);
    if (boost !== undefined) {
      const near = back === 1 ? 1 : back === 2 ? 0.9 : 0.8;
      result += Math.sign(value) * boost * near;
    }
  }
  if (units[at]?.text.length && isShouted(units, at)) result += Math.sign(value) * cues.capitals;
  if (isTooMuch(units, at)) return result > 0 ? -cues.tooMuch * result : cues.tooBad * result;
  return isNegated(units, at) ? negated(result) : result;
}

/** Not good is bad; not bad is hardly good; no problem at all is good. */
const negated = (value: number) => (value > 0 ? -cues.notGood * value : -cues.notBad * value);

function isNegated(units: readonly Unit[], at: number): boolean {
  let negations = 0;
  for (let back = 1; back <= cues.raisedReach; back += 1) {
    const before = units[at - back];
    if (!before || endsScope(before)) break;
    const next = units[at - back + 1]?.word ?? '';
    // "We are not convinced that it is good": the "not" refers to the following clause.
    const isRaised = wordsOf.raising.has(next);
    if (back > cues.negationReach && !isRaised) continue;
    if (wordsOf.subject.has(before.word) && !isRaisedBefore(units, at - back)) break;
    if (!wordsOf.negation.has(before.word)) continue;
    // "Not only good": more than good.
    if (before.word === 'not' && (next === 'only' || next === 'just')) continue;
    if (before.word === 'no' && (next === 'doubt' || next === 'wonder')) continue;
    negations += 1;
    // "Neither … nor" is a single negation.
    if (before.word === 'nor' || before.word === 'neither') break;
  }
  return negations % 2 === 1;
}

const isRaisedBefore = (units: readonly Unit[], at: number) =>
  wordsOf.raising.has(units[at - 1]?.word ?? '') || wordsOf.raising.has(units[at - 2]?.word ?? '');

const endsScope = ({ word }: Token) => wordsOf.scopeEnd.has(word);

const isTooMuch = (units: readonly Unit[], at: number) =>
  units[at - 1]?.word === 'too' &&
  !wordsOf.negation.has(units[at - 2]?.word ?? '') &&
  units[at]?.pos === 'ADJ';

/** "Too small": a neutral adjective is negative after "too". */
function adjectiveAfterToo(units: readonly Unit[], at: number): number {
  const before = units[at - 1];
  if (before?.word !== 'too') return 0;
  if (units[at]?.pos !== 'ADJ' && units[at]?.pos !== 'ADV') return 0;
  return wordsOf.negation.has(units[at - 2]?.word ?? '') ? cues.notTooAny : cues.tooAny;
}

function isShouted(units: readonly Unit[], at: number): boolean {
  const text = units[at]?.text ?? '';
  if (text.length < 3 || text !== text.toUpperCase() || text === text.toLowerCase()) return false;
  return units.some((unit) => /[a-z]{3}/.test(unit.text));
}

/** Quoted words of another person count less than the speaker's own. */
function quoted(units: readonly Unit[], values: number[]): void {
  let open = -1;
  units.forEach(({ word }, at) => {
    if (word !== '"') return;
    if (open >= 0) {
      for (let inside = open + 1; inside < at; inside += 1) {
        values[inside] = (values[inside] ?? 0) * cues.quoted;
      }
      open = -1;
    } else open = at;
  });
}

/** "Good, but slow": the part after the contrast counts more. */
function contrasted(units: readonly Unit[], values: number[]): void {
  const turn = units.findIndex(({ word }, at) => at > 0 && wordsOf.contrast.has(word));
  if (turn >= 0) {
    for (let at = 0; at < values.length; at += 1) {
      values[at] = (values[at] ?? 0) * (at < turn ? cues.beforeBut : cues.afterBut);
    }
    return;
  }
  // "Although it is slow, …": the part before the comma counts less.
  if (!wordsOf.concession.has(units[0]?.word ?? '')) return;
  const comma = units.findIndex(({ word }) => word === ',');
  if (comma < 0) return;
  for (let at = 0; at < comma; at += 1) values[at] = (values[at] ?? 0) * cues.beforeBut;
}

/** "It does not have one": a negation without rated words is more often a lack than not. */
function bareNegations(units: readonly Unit[]): { word: string; value: number }[] {
  return units.flatMap(({ word, value }, at) => {
    if (value !== undefined || !wordsOf.bareNegation.has(word)) return [];
    const reached = units.slice(at + 1, at + 1 + cues.negationReach);
    const isBare = reached.every((unit) => unit.value === undefined);
    return isBare && reached[0]?.word !== 'only' ? [{ word, value: cues.bareNegation }] : [];
  });
}

/** Patterns of whole sentences that no single word expresses. */
function wholeSentence(units: readonly Unit[]): { word: string; value: number }[] {
  const line = units.map(({ word }) => word).join(' ');
  return cues.patterns
    .filter(({ pattern }) => pattern.test(line))
    .map(({ name, value }) => ({ word: name, value }));
}

function emphasisOf(units: readonly Unit[]): number {
  const exclaimed = units.filter(({ word }) => /^!+$/.test(word)).length;
  const isQuestion = units.some(({ word }) => /^\?+$/.test(word));
  return (1 + Math.min(3, exclaimed) * cues.exclamation) * (isQuestion ? cues.question : 1);
}
