import {
  accepted,
  arranged,
  type Cue,
  cues,
  hypothetical,
  passive,
  refused,
  takings,
  undone,
} from './commitment-cues.ts';
import { can, doing, idioms, passing, stillPromises } from './commitment-words.ts';
import { findDue } from './due.ts';
import { readSentences, type Sentence } from './language.ts';
import type { Utterance } from './utterances.ts';

export interface Commitment {
  said: Utterance;
  /** Who accepted it, where it was asked for. */
  acceptedBy: Utterance | null;
  /** In the sentence's own words. */
  what: string;
  owner: string | null;
  due: string | null;
  confidence: number;
}

/** From here on we would rather list it than miss it. */
const sureEnough = 0.5;
const marked =
  /^(?:actions?(?: items?)?|to-?dos?|tasks?|next steps?|follow-?ups?|ai|deliverables?)(?: for ([\p{L} ]{2,30}))?\s*[:–-]\s*(.{4,})$/iu;

/** What was taken on in a conversation, in its order. */
export function findCommitments(utterances: readonly Utterance[]): Commitment[] {
  return utterances.flatMap((said, at) => {
    const explicit = marked.exec(said.text);
    if (explicit?.[2]) return [markedItem(said, explicit[2], explicit[1] ?? null)];
    const answer = utterances.slice(at + 1, at + 3);
    return readSentences(said.text).flatMap((sentence) => {
      const found = inSentence(sentence, said, answer);
      return found && found.confidence >= sureEnough ? [found] : [];
    });
  });
}

function markedItem(said: Utterance, what: string, owner: string | null): Commitment {
  const named = /^(\p{Lu}\p{L}+)(?: (?:to|will)|:| -)\s+(.+)$/u.exec(what);
  return {
    said,
    acceptedBy: null,
    what: named?.[2] ?? what,
    owner: named?.[1] ?? owner ?? said.speaker,
    due: findDue(what),
    confidence: 0.95,
  };
}

/** A sentence as the cues read it, and the way back to its words. */
interface Line {
  text: string;
  sentence: Sentence;
  names: string[];
}

function inSentence(
  sentence: Sentence,
  said: Utterance,
  answers: readonly Utterance[],
): Commitment | null {
  const line = lineOf(sentence);
  const due = findDue(sentence.tokens.map(({ text }) => text).join(' '));
  if (hypothetical.test(line.text)) return null;
  const candidates = [
    ...cues.flatMap((cue) =>
      [...line.text.matchAll(cue.pattern)].map((m) => read(cue, m, line, said, answers, due)),
    ),
    taken(line, said, due),
    toBeDone(line, said, due),
    ordered(line, said, due),
  ];
  return candidates.reduce<Commitment | null>(
    (best, found) => (found && found.confidence > (best?.confidence ?? 0) ? found : best),
    null,
  );
}

/** Small letters, names as `@`, quoted words left out. */
function lineOf(sentence: Sentence): Line {
  const names: string[] = [];
  let quoted = false;
  const words = sentence.tokens.map(({ text, word, pos }, at) => {
    if (word === '"') quoted = !quoted;
    if (quoted || word === '"') return '"';
    const isName =
      pos === 'PROPN' &&
      /^\p{Lu}\p{Ll}+$/u.test(text) &&
      !notNames.test(word) &&
      (at > 0 || doing.has(word) === false);
    if (!isName) return word;
    names.push(text);
    return '@';
  });
  return { text: words.join(' '), sentence, names };
}
const notNames =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|yes|yeah|ok|okay|sure|right|great|thanks|hi|hello|hey|well|so|and|but|please|action|next|let|will|can|could)$/;

function read(
  cue: Cue,
  match: RegExpMatchArray,
  line: Line,
  said: Utterance,
  answers: readonly Utterance[],
  due: string | null,
): Commitment | null {
  const start = match.index ?? 0;
  const before = line.text.slice(0, start).trim();
  const rest = line.text.slice(start + match[0].length).trim();
  if (undone.test(before) || /^(?:not|never|no longer)\b/.test(rest)) return null;
  if (/\b(?:not|never)\b/.test(match[0]) && !/not forget/.test(match[0])) return null;
  const isAsked = cue.needsAnswer === true;
  if (!isAsked && isQuestion(line.text) && !tagQuestion.test(line.text)) return null;
  const verbWeight = weighVerb(rest, line, start + match[0].length, cue.strict ?? false);
  if (verbWeight === null) return null;
  let confidence =
    cue.weight + verbWeight + (due ? 0.12 : 0) + surroundings(line.text, before, due);
  const answer = isAsked || cue.owner === 'listener' ? answers.find(isAnswer) : undefined;
  if (answer) {
    const words = answerText(answer);
    if (refused.test(words)) return null;
    if (accepted.test(words) && (answer.speaker !== null) === (said.speaker !== null))
      confidence += 0.3;
  }
  const acceptedBy = answer && accepted.test(answerText(answer)) ? answer : null;
  return {
    said,
    acceptedBy,
    what: wordsFrom(line, start + match[0].length),
    owner: ownerOf(cue, match[0], line, said, acceptedBy),
    due,
    confidence: Math.min(0.95, confidence),
  };
}

const isQuestion = (text: string) => /\? ?$/.test(text);
const tagQuestion =
  /, ?(?:ok|okay|right|alright|all right|yeah|fine|good|deal|does that work|is that ok|if that is ok)[^,]{0,12} ?\?$/;
const isAnswer = ({ text }: Utterance) => {
  const words = answerText({ text });
  return accepted.test(words) || refused.test(words);
};
const answerText = ({ text }: Pick<Utterance, 'text'>) =>
  (readSentences(text)[0]?.tokens ?? []).map(({ word }) => word).join(' ');

/** What the verb adds; null where the words are an idiom, or no doing at all. */
function weighVerb(rest: string, line: Line, offset: number, strict: boolean): number | null {
  if (rest === '') return null;
  if (stillPromises.test(rest)) return 0.05;
  if (idioms.test(rest)) return null;
  const [verb = ''] = rest.split(' ');
  if (passing.has(verb)) return null;
  const hasObject = rest.split(' ').filter((word) => /\w/.test(word)).length > 1;
  const length = hasObject ? 0 : -0.12;
  if (strict)
    return can.has(verb) || strictly.has(verb) ? length : doing.has(verb) ? length - 0.08 : null;
  if (doing.has(verb)) return length;
  const token = line.sentence.tokens[line.text.slice(0, offset).trim().split(' ').length];
  if (verb === 'be' || verb === 'not') return null;
  return token?.pos === 'VERB' ? length - 0.15 : null;
}
const strictly = new Set(
  'meet plan discuss decide agree reschedule finalize finalise investigate resend loop ping double-check email e-mail'.split(
    ' ',
  ),
);

function surroundings(text: string, before: string, due: string | null): number {
  let sum = 0;
  if (
    due === null &&
    /\b(?:right now|for now|in a (?:second|sec|minute|moment)|briefly|real quick|quickly)\b/.test(
      text,
    )
  )
    sum -= 0.25;
  if (/^if\b/.test(text) && before.includes(',')) sum -= 0.08;
  else if (/\bif\b/.test(before)) sum -= 0.15;
  if (/\b(?:maybe|perhaps|might|possibly|at some point)\b/.test(text)) sum -= 0.08;
  if (/\b(?:because|that|which)$/.test(before)) sum -= 0.15;
  if (/\b(?:always|usually|often|normally|typically|generally)\b/.test(text)) sum -= 0.2;
  return sum;
}

function taken(line: Line, said: Utterance, due: string | null): Commitment | null {
  const match = takings.exec(line.text);
  if (!match || isQuestion(line.text)) return null;
  if (
    undone.test(line.text.slice(0, match.index).trim()) ||
    /\bnot$/.test(line.text.slice(0, match.index).trim())
  )
    return null;
  return {
    said,
    acceptedBy: null,
    what: wordsFrom(line, match.index),
    owner: said.speaker,
    due,
    confidence: 0.62 + (due ? 0.1 : 0),
  };
}

function toBeDone(line: Line, said: Utterance, due: string | null): Commitment | null {
  const match = passive.exec(line.text) ?? arranged.exec(line.text);
  const what = match?.[1];
  if (!match || !what || isQuestion(line.text)) return null;
  const isArranged = !passive.test(line.text);
  const by = /\bby (?:me|us|you|@|the team)\b/.test(what);
  if (!due && !by) return null;
  if (undone.test(line.text.slice(0, match.index).trim())) return null;
  return {
    said,
    acceptedBy: null,
    what: wordsFrom(line, isArranged ? line.text.length - what.length : 0),
    owner: isArranged || /\bby me\b/.test(what) ? said.speaker : null,
    due,
    confidence: 0.6,
  };
}

/** "Send the deck by Friday": an order, in a list or with a date. */
function ordered(line: Line, said: Utterance, due: string | null): Commitment | null {
  const [first] = line.sentence.tokens;
  if (!first || !doing.has(first.word) || isQuestion(line.text)) return null;
  if (!['VERB', 'PROPN', 'NOUN'].includes(first.pos) || line.sentence.tokens.length < 3)
    return null;
  if (!said.isListItem && due === null) return null;
  if (idioms.test(line.text) && !stillPromises.test(line.text)) return null;
  if (line.sentence.tokens.slice(0, 6).some(({ pos, word }) => pos === 'AUX' && word !== 'be'))
    return null;
  return { said, acceptedBy: null, what: wordsFrom(line, 0), owner: null, due, confidence: 0.6 };
}

function ownerOf(
  cue: Cue,
  matched: string,
  line: Line,
  said: Utterance,
  acceptedBy: Utterance | null,
): string | null {
  if (cue.owner === 'speaker') return said.speaker;
  if (matched.includes('@')) {
    const before = line.text.slice(0, line.text.indexOf(matched)).split('@').length - 1;
    return line.names[before] ?? null;
  }
  if (cue.owner === 'listener') return acceptedBy?.speaker ?? null;
  return (
    /(?:the|our|your|my|their) [\w ]+?(?= (?:will|shall|is|are|needs?|has|have|must|to|should|can|agreed|promised|offered))/.exec(
      matched,
    )?.[0] ?? null
  );
}

/** The sentence's own words from this place on. */
function wordsFrom(line: Line, offset: number): string {
  const skipped = line.text.slice(0, offset).trim();
  const from = skipped === '' ? 0 : skipped.split(' ').length;
  return joined(line.sentence.tokens.slice(from).map(({ text }) => text));
}

const joined = (words: string[]) =>
  words
    .join(' ')
    .replace(/ (n't|'\w+|[.,;:!?%)\]])/g, '$1')
    .replace(/([([$#]) /g, '$1')
    .replace(/ ([-/–]) /g, '$1')
    .trim();
