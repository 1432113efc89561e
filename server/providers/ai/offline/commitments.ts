import type { UnnamedOwner } from '#domain/ai/contract.ts';
import type { Calendar } from './calendar.ts';
import {
  accepted,
  arranged,
  type Cue,
  cues,
  hypothetical,
  passive,
  refused,
  tagQuestion,
  takings,
  undone,
} from './commitment-cues.ts';
import { doing, idioms, stillPromises } from './commitment-words.ts';
import { type CueLine, cueLine, nameIn, wordsBetween } from './cue-line.ts';
import { type Due, findDue } from './due.ts';
import { readSentences, type Sentence } from './language.ts';
import type { Utterance } from './utterances.ts';
import { weighSurroundings, weighVerb } from './weigh-commitment.ts';

export interface Commitment {
  said: Utterance;
  /** The utterance that accepts a request, if this is one. */
  acceptedBy: Utterance | null;
  /** The action in the sentence's own words. */
  what: string;
  owner: string | null;
  due: Due | null;
  confidence: number;
}

/** A commitment with its position in the sentence. */
interface Candidate extends Commitment {
  from: number;
  /** Where the action begins. */
  whatFrom: number;
  kind: string;
}

/**
 * Confidence from which a commitment is listed, with a preference for recall. A second one in a
 * sentence needs more.
 */
const sureEnough = 0.5;
/** In notes without names, most sentences report, so that weak cues are no promises. */
const sureEnoughInNotes = 0.62;
const secondSureEnough = 0.62;
const marked =
  /^(?:actions?(?: items?)?|to-?dos?|tasks?|next steps?|follow-?ups?|ai|deliverables?)(?: for ([\p{L} ]{2,30}))?\s*[:–-]\s*(.{4,})$/iu;

/** Returns the commitments of a conversation, in its order. */
export function findCommitments(
  utterances: readonly Utterance[],
  calendar: Calendar,
): Commitment[] {
  const answering = new Set<Utterance>();
  return utterances.flatMap((said, at): Commitment[] => {
    const explicit = marked.exec(said.text);
    if (explicit?.[2]) return [markedItem(said, explicit[2], explicit[1] ?? null, calendar)];
    const answers = utterances.slice(at + 1, at + 3);
    const found = readSentences(said.text).flatMap((sentence) =>
      inSentence(sentence, said, answers, calendar),
    );
    for (const { acceptedBy } of found) if (acceptedBy) answering.add(acceptedBy);
    // "Sure, will do" belongs to the request that it answers.
    return answering.has(said)
      ? found.filter(({ kind, what }) => kind !== 'taken' && !/^do (?:that|it|so)\b/.test(what))
      : found;
  });
}

function markedItem(
  said: Utterance,
  what: string,
  owner: string | null,
  calendar: Calendar,
): Commitment {
  const named = /^(\p{Lu}\p{L}+)(?: (?:to|will)|:| -)\s+(.+)$/u.exec(what);
  return {
    said,
    acceptedBy: null,
    what: named?.[2] ?? what,
    owner: named?.[1] ?? owner ?? said.speaker,
    due: findDue(what, calendar),
    confidence: 0.95,
  };
}

interface Place {
  line: CueLine;
  said: Utterance;
  answers: readonly Utterance[];
  due: Due | null;
  calendar: Calendar;
}

function inSentence(
  sentence: Sentence,
  said: Utterance,
  answers: readonly Utterance[],
  calendar: Calendar,
): Candidate[] {
  const threshold = said.speaker === null ? sureEnoughInNotes : sureEnough;
  const line = cueLine(sentence);
  const due = findDue(wordsBetween(line, 0), calendar);
  const place = { line, said, answers, due, calendar };
  const found = [
    ...cues.flatMap((cue) =>
      [...line.text.matchAll(cue.pattern)].map((match) => byCue(place, cue, match)),
    ),
    taken(place),
    toBeDone(place),
    // In notes, a verb at the beginning is often a noun: findTypedTasks knows the difference.
    said.speaker === null ? null : ordered(place),
  ].filter((one) => one !== null && one.confidence >= threshold);
  return apart(line, found, calendar);
}

/**
 * Returns the most confident candidate and others that reach the higher threshold, each with its
 * own words.
 */
function apart(
  line: CueLine,
  found: readonly (Candidate | null)[],
  calendar: Calendar,
): Candidate[] {
  const kept: Candidate[] = [];
  const sorted = found.filter((one) => one !== null).sort((a, b) => b.confidence - a.confidence);
  for (const one of sorted) {
    const isFirst = kept.length === 0;
    const isApart = kept.every(
      (other) => one.from >= other.whatFrom + 8 || other.from >= one.whatFrom + 8,
    );
    if (isFirst || (isApart && one.confidence >= secondSureEnough)) kept.push(one);
  }
  kept.sort((a, b) => a.from - b.from);
  return kept.map((one, at) => {
    const what = wordsBetween(line, one.whatFrom, kept[at + 1]?.from);
    // With several commitments in a sentence, a date belongs to the one whose words contain it.
    return { ...one, what, due: kept.length > 1 ? findDue(what, calendar) : one.due };
  });
}

function byCue(place: Place, cue: Cue, match: RegExpMatchArray): Candidate | null {
  const { line, said, answers, due } = place;
  const from = match.index ?? 0;
  const whatFrom = from + match[0].length;
  const before = line.text.slice(0, from).trim();
  if (isUndone(before, match[0]) || /^(?:not|never|no longer)\b/.test(line.text.slice(whatFrom))) {
    return null;
  }
  const isAsked = cue.needsAnswer === true;
  if (!isAsked && isQuestion(line.text)) return null;
  const verb = cue.isThing ? thingWeight(due) : weighVerb(line, whatFrom, cue.strict ?? false);
  if (verb === null) return null;
  const waits = isAsked || cue.owner === 'listener';
  const answer = waits ? answers.find(isAnswer) : undefined;
  if (answer && refused.test(firstWords(answer))) return null;
  const acceptedBy = answer ?? null;
  const confidence =
    cue.weight +
    verb +
    (due ? 0.12 : 0) +
    (acceptedBy ? 0.3 : 0) +
    (said.isListItem ? 0.1 : 0) +
    weighSurroundings(line.text, before, due !== null);
  const owner = ownerOf(place, cue, from, whatFrom, acceptedBy);
  const kind = cue.kind;
  const sure = Math.min(0.95, confidence);
  return { said, acceptedBy, what: '', owner, due, confidence: sure, from, whatFrom, kind };
}

const thingWeight = (due: Due | null) => (due ? 0 : -0.12);
const isQuestion = (text: string) => /\? ?$/.test(text) && !tagQuestion.test(text);
/**
 * Cached, because every request before an answer reads it: without the cache, long answers took
 * quadratic time.
 */
const firstWordsOf = new WeakMap<Utterance, string>();

function firstWords(said: Utterance): string {
  const known = firstWordsOf.get(said);
  if (known !== undefined) return known;
  const words = (readSentences(said.text)[0]?.tokens ?? []).map(({ word }) => word).join(' ');
  firstWordsOf.set(said, words);
  return words;
}

const isAnswer = (said: Utterance) =>
  accepted.test(firstWords(said)) || refused.test(firstWords(said));

/**
 * Returns whether the text before, or the cue itself, is a negation, a question, a hypothesis, or a
 * report.
 */
function isUndone(before: string, matched: string): boolean {
  if (undone.test(before)) return true;
  const clause = before.slice(Math.max(before.lastIndexOf(','), before.lastIndexOf(' so ')) + 1);
  if (hypothetical.test(`${clause} ${matched}`)) return true;
  return /\b(?:not|never)\b/.test(matched) && !/(?:not forget|why do not)/.test(matched);
}

function taken({ line, said, due }: Place): Candidate | null {
  const match = takings.exec(line.text);
  if (!match || isQuestion(line.text)) return null;
  const before = line.text.slice(0, match.index).trim();
  if (isUndone(before, '') || /\bnot$/.test(before)) return null;
  const from = match.index;
  const confidence = 0.62 + (due ? 0.1 : 0);
  const owner = said.speaker ?? 'me';
  return {
    said,
    acceptedBy: null,
    what: '',
    owner,
    due,
    confidence,
    from,
    whatFrom: from,
    kind: 'taken',
  };
}

function toBeDone({ line, said, due }: Place): Candidate | null {
  const isArranged = !passive.test(line.text);
  const match = passive.exec(line.text) ?? arranged.exec(line.text);
  const what = match?.[1];
  if (!match || !what || isQuestion(line.text)) return null;
  if (due === null && !/\b(?:by (?:me|us|you|@|the team)|as we speak)\b/.test(what)) return null;
  if (isUndone(line.text.slice(0, match.index).trim(), '')) return null;
  const owner = isArranged || /\bby me\b/.test(what) ? (said.speaker ?? 'me') : null;
  const whatFrom = isArranged ? line.text.length - what.length : 0;
  const from = match.index;
  return {
    said,
    acceptedBy: null,
    what: '',
    owner,
    due,
    confidence: 0.6,
    from,
    whatFrom,
    kind: 'passive',
  };
}

/** "Send the deck by Friday": an imperative, in a list or with a date. */
function ordered({ line, said, due }: Place): Candidate | null {
  const { tokens } = line.sentence;
  const [first] = tokens;
  if (!first || !doing.has(first.word) || isQuestion(line.text) || tokens.length < 3) return null;
  if (!['VERB', 'PROPN', 'NOUN'].includes(first.pos)) return null;
  if (!said.isListItem && due === null) return null;
  if (idioms.test(line.text) && !stillPromises.test(line.text)) return null;
  if (tokens.slice(0, 6).some(({ pos, word }) => pos === 'AUX' && word !== 'be')) return null;
  return {
    said,
    acceptedBy: null,
    what: '',
    owner: null,
    due,
    confidence: 0.6,
    from: 0,
    whatFrom: 0,
    kind: 'order',
  };
}

const namedGroup =
  /(?:the|our|your|my|their) [\w ]+?(?= (?:will|shall|is|are|needs?|has|have|must|to|should|can|agreed|promised|offered))/;

function ownerOf(
  { line, said }: Place,
  cue: Cue,
  from: number,
  to: number,
  acceptedBy: Utterance | null,
): string | null {
  if (cue.owner === 'speaker') return said.speaker ?? noteTaker(line.text.slice(from, to), cue);
  const name = nameIn(line, from, to);
  if (name) return name;
  if (cue.owner === 'listener') return acceptedBy?.speaker ?? null;
  if (/\b(?:he|she|they)\b/.test(line.text.slice(from, to))) return 'customer';
  return namedGroup.exec(line.text.slice(from, to))?.[0] ?? null;
}

/** Of notes without names, "I" is who takes them, and "we" their team. */
const noteTaker = (words: string, { kind }: Cue): UnnamedOwner =>
  kind === 'you get' || /\bwe\b|\bus\b/.test(words) ? 'us' : 'me';
