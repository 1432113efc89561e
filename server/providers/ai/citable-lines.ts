import { longestConversation } from '#domain/ai/contract.ts';
import { type CitableLine, type Citation, citationOf } from '#domain/ai/evidence.ts';
import { lastCharacters } from '#domain/ai/rules.ts';
import type { Turn } from '#domain/transcripts/turn.ts';
import type { Conversation } from './port.ts';

type Written = Pick<Conversation, 'text' | 'storedNotes' | 'turns'>;

/** Returns the lines of a conversation: what was typed, then what was said. */
export function citableLines({ text, storedNotes, turns }: Written): CitableLine[] {
  const numbers = new Map<string, number>();
  for (const [at, line] of storedNotes.split(/\r?\n/).entries()) {
    const key = line.trim();
    if (key !== '' && !numbers.has(key)) numbers.set(key, at + 1);
  }
  const typed = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(
      (line, at): CitableLine => ({
        ref: `N${at + 1}`,
        speaker: null,
        side: null,
        text: line,
        source: { kind: 'note', line: numbers.get(line) ?? null },
      }),
    );
  return [...typed, ...turns.map(lineOfTurn)];
}

const lineOfTurn = ({ lineId, speaker, side, startMs, text }: Turn, at: number): CitableLine => ({
  ref: `T${at + 1}`,
  speaker,
  side,
  text: text.replace(/\s+/g, ' ').trim(),
  source: { kind: 'line', lineId, startMs },
});

/** Returns a conversation as text that has the speaker's name at the beginning of each phrase. */
export function textOf(conversation: Written): string {
  if (conversation.turns.length === 0) return conversation.text;
  const said = citableLines({ ...conversation, text: '' }).map(writtenLine);
  const typed = conversation.text === '' ? [] : [conversation.text];
  return lastCharacters([...typed, ...said].join('\n'), longestConversation);
}

/** The form in which the built-in analyzer recognizes a speaker: up to three capitalized words. */
function writtenLine({ speaker, text }: CitableLine): string {
  const name = (speaker ?? '')
    .replace(/[^\p{L}' -]+/gu, ' ')
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ');
  return name === '' ? text : `${name}: ${text}`;
}

/**
 * Returns where a quoted line of `textOf` comes from: the last one that begins with it. Null for one that is not in
 * the conversation.
 */
export function sourceOf(lines: readonly CitableLine[], quoted: string): Citation | null {
  // A long line is quoted by its beginning.
  const start = quoted.split(' — ')[0]?.replace(/…$/, '').trim() ?? '';
  if (start === '') return null;
  const line = lines.findLast((one) => writtenLine(one).startsWith(start));
  return line ? citationOf(line, line.text) : null;
}
