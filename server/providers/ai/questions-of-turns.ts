import type { AskedQuestion } from '#domain/insights/contract.ts';
import type { Turn } from '#domain/transcripts/turn.ts';

const mostQuestions = 20;
const fewestWords = 4;
/** Phrases after a question in which its answer is looked for. */
const answeredWithin = 3;
const politeness =
  /\b(?:can you (?:hear|see)|how are you|how's it going|are you there|make sense|hörst du|hören sie|wie geht)|(?:right|okay|ok|you know|oder|ne)\?$/i;
const yesOrNo = /^(?:yes|yeah|yep|no|nope|sure|of course|ja|nein|klar|genau|natürlich)\b/i;

/**
 * Returns the questions of a transcript by rule: phrases that end with a question mark. A question is open if none of
 * the next phrases of others has more than a few words, or a yes or no.
 */
export function questionsOf(turns: readonly Turn[]): AskedQuestion[] {
  const asked = turns.flatMap((turn, at): AskedQuestion[] => {
    const text = lastSentence(turn.text);
    if (!text.endsWith('?') || text.split(/\s+/).length < fewestWords) return [];
    if (politeness.test(text)) return [];
    const { lineId, startMs, speaker } = turn;
    return [
      {
        text,
        cites: [{ kind: 'line', lineId, startMs, speaker, quote: text }],
        askedBy: speaker,
        isOpen: !isAnswered(turn, turns.slice(at + 1, at + 1 + answeredWithin)),
      },
    ];
  });
  // Those left open matter more than those answered.
  const [open, answered] = [asked.filter((one) => one.isOpen), asked.filter((one) => !one.isOpen)];
  const kept = new Set(
    [...open.slice(-mostQuestions), ...answered.slice(-mostQuestions)].slice(0, mostQuestions),
  );
  return asked.filter((one) => kept.has(one));
}

const isAnswered = (asked: Turn, after: readonly Turn[]) =>
  after.some(
    ({ speaker, text }) =>
      speaker !== asked.speaker && (yesOrNo.test(text) || text.split(/\s+/).length >= fewestWords),
  );

const lastSentence = (text: string): string =>
  text
    .trim()
    .split(/(?<=[.!?])\s+/)
    .at(-1)
    ?.slice(0, 300) ?? '';
