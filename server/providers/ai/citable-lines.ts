import { longestConversation } from '#domain/ai/contract.ts';
import { type CitableLine, type Citation, citationOf } from '#domain/ai/evidence.ts';
import { lastCharacters } from '#domain/ai/rules.ts';
import type { Turn } from '#domain/transcripts/turn.ts';
import { lastLines, mostLines } from './offline/utterances.ts';
import type { Conversation } from './port.ts';

type Written = Pick<Conversation, 'text' | 'storedNotes' | 'turns'>;

/**
 * Returns the lines of a conversation: what was typed, then what was said.
 * @param most of which the last are returned
 */
export function citableLines({ text, storedNotes, turns }: Written, most: number): CitableLine[] {
  const said = turns.slice(-most).map(lineOfTurn);
  const typed = most > said.length ? lastLines(text, most - said.length) : [];
  return [...linesOfNotes(typed, storedNotes), ...said];
}

/** Returns the typed lines that are not empty, with their numbers in the stored notes. */
function linesOfNotes(typed: readonly string[], storedNotes: string): CitableLine[] {
  const lines = typed.map((line) => line.trim()).filter((line) => line !== '');
  const numbers = numbersIn(storedNotes, new Set(lines));
  return lines.map((line, at) => noteLine(line, at, numbers));
}

/** Of a line that may be cited. Models are not sent more. */
const longestLine = 4000;

const noteLine = (text: string, at: number, numbers: ReadonlyMap<string, number>): CitableLine => ({
  ref: `N${at + 1}`,
  speaker: null,
  side: null,
  text: text.slice(0, longestLine),
  source: { kind: 'note', line: numbers.get(text) ?? null },
});

/** Returns the number of the first line of the notes, from 1, that is each of these. */
function numbersIn(notes: string, wanted: ReadonlySet<string>): Map<string, number> {
  const numbers = new Map<string, number>();
  if (wanted.size === 0) return numbers;
  for (const [at, line] of notes.split(/\r?\n/).entries()) {
    const key = line.trim();
    if (wanted.has(key) && !numbers.has(key)) numbers.set(key, at + 1);
    if (numbers.size === wanted.size) break;
  }
  return numbers;
}

const lineOfTurn = ({ lineId, speaker, side, startMs, text }: Turn, at: number): CitableLine => ({
  ref: `T${at + 1}`,
  speaker,
  side,
  text: inOneLine(text).slice(0, longestLine),
  source: { kind: 'line', lineId, startMs },
});

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/**
 * Returns a conversation as text that has the speaker's name at the beginning of each phrase: as many of its last lines
 * as the built-in analyzer reads.
 */
export function textOf({ text, turns }: Written): string {
  if (turns.length === 0) return text;
  const typed = beforeTurns(text);
  const names = new Map<string, string>();
  const said = turns.slice(-mostLines).map((turn) => {
    const name = names.get(turn.speaker) ?? writtenName(turn.speaker);
    names.set(turn.speaker, name);
    return name === '' ? inOneLine(turn.text) : `${name}: ${inOneLine(turn.text)}`;
  });
  return lastCharacters(
    [...(typed === '' ? [] : [typed]), ...said].join('\n'),
    longestConversation,
  );
}

/** With the line end that follows, a carriage return would be one line end in place of two. */
const beforeTurns = (text: string) => text.replace(/\r$/, '');

/** The form in which the built-in analyzer recognizes a speaker: up to three capitalized words. */
const writtenName = (speaker: string) =>
  speaker
    .replace(/[^\p{L}' -]+/gu, ' ')
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ');

/**
 * Returns where lines of `textOf` come from.
 * @param linesAfter of each, how many lines come after it
 */
export function sourcesOf(
  { text, storedNotes, turns }: Written,
  linesAfter: readonly number[],
): (Citation | null)[] {
  const typed = lastLines(turns.length === 0 ? text : beforeTurns(text), mostLines);
  // Among the phrases; negative: among the typed lines, from their end.
  const places = linesAfter.map((after) => turns.length - 1 - after);
  const written = places.map((place) => (place < 0 ? (typed.at(place)?.trim() ?? '') : ''));
  const numbers = numbersIn(storedNotes, new Set(written.filter((line) => line !== '')));
  return places.map((place, n) => {
    const turn = turns[place];
    if (turn) return citationOf(lineOfTurn(turn, place), inOneLine(turn.text));
    const line = written[n];
    return line ? citationOf(noteLine(line, n, numbers), line) : null;
  });
}
