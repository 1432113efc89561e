import { priorities, type Suggestion } from '#domain/ai/contract.ts';
import { findCommitments } from './commitments.ts';
import { concernLines } from './concerns.ts';
import { readSentences } from './language.ts';
import { cite, readUtterances, type Utterance } from './utterances.ts';
import { readValence } from './valence.ts';

interface Subject {
  utterances: readonly Utterance[];
  openItems: readonly string[];
  isOver: boolean;
}

/** More advice would not be read during a call. */
const mostSuggestions = 5;
const monologueWords = 110;

/** Returns advice, each with a quoted line of the conversation, most urgent first. */
export function coach(text: string, openItems: readonly string[], isOver: boolean): Suggestion[] {
  const subject = { utterances: readUtterances(text), openItems, isOver };
  const raised = concernLines(subject.utterances).map(({ concern, said }) => ({
    priority: concern.priority,
    type: concern.type,
    suggestion: concern.suggestion,
    context: cite(said.line),
  }));
  const found = [
    ...raised,
    ...[unanswered, praise, monologue, nextStep, checklist].flatMap((rule) => rule(subject) ?? []),
  ];
  return found
    .sort((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority))
    .slice(0, mostSuggestions);
}

const answers =
  /^(?:yes|yeah|yep|yup|sure|no|nope|of course|absolutely|good question|great question|exactly|right|definitely|not yet|it (?:is|does|can|will)|that (?:is|would|depends)|we (?:do|can|will|have|support)|so|well|i think|let me|i'll|i will|you can)\b/i;
const rhetorical =
  /\b(?:right|okay|ok|you know|isn't it|don't you think|does that make sense|make sense|can you (?:hear|see)(?: me)?|how are you|how's it going|are you there)\s*\?\s*$/i;

/** The last question without an answer. */
function unanswered({ utterances }: Subject): Suggestion | null {
  const at = utterances.findLastIndex(
    ({ text }) => text.endsWith('?') && text.split(' ').length > 3 && !rhetorical.test(text),
  );
  const asked = utterances[at];
  if (!asked) return null;
  const after = utterances.slice(at + 1, at + 4);
  const isAnswered = after.some(
    ({ speaker, text }) =>
      answers.test(text) || (speaker !== asked.speaker && text.split(' ').length > 4),
  );
  if (isAnswered) return null;
  return {
    priority: 'medium',
    type: 'question',
    suggestion:
      'This question is still open. Answer it, or say who will and by when, before you move on.',
    context: cite(asked.line),
  };
}

const praiseFrom = 3.2;

/** Praise is the moment to ask for a reference. */
function praise({ utterances }: Subject): Suggestion | null {
  const best = utterances
    .map((said) => {
      const read = readSentences(said.text).map(readValence);
      return { said, sum: read.reduce((sum, { good, bad }) => sum + good + 2 * bad, 0) };
    })
    .filter(({ sum }) => sum >= praiseFrom)
    .sort((a, b) => b.sum - a.sum)[0];
  if (!best) return null;
  return {
    priority: 'low',
    type: 'advocacy',
    suggestion:
      'They’re happy with this. Thank them, ask what it changed for them in numbers, and whether they’d be a reference for other customers.',
    context: cite(best.said.line),
  };
}

/** One person has talked for long. */
function monologue({ utterances }: Subject): Suggestion | null {
  const named = utterances.filter(({ speaker }) => speaker !== null);
  let run = 0;
  for (const [at, { speaker, text }] of named.entries()) {
    run = speaker === named[at - 1]?.speaker ? run : 0;
    run += text.split(/\s+/).length;
    if (run < monologueWords) continue;
    return {
      priority: 'medium',
      type: 'listening',
      suggestion: `${speaker} has been talking for a while. Pause and ask an open question: what matters most to you here?`,
      context: cite(text),
    };
  }
  return null;
}

const fewestWords = 35;

/** A conversation of some length without an agreed next step. */
function nextStep({ utterances, isOver }: Subject): Suggestion | null {
  const words = utterances.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const last = utterances.at(-1);
  if (isOver || !last || words < fewestWords) return null;
  const agreed = findCommitments(utterances);
  if (agreed.some(({ due }) => due !== null)) return null;
  const [open] = agreed;
  return {
    priority: open ? 'low' : 'medium',
    type: 'next_step',
    suggestion: open
      ? 'This has no date yet. Agree on one while everyone’s here.'
      : 'There’s no next step yet. Before the call ends, agree on who does what, and by when.',
    context: cite((open?.said ?? last).line),
  };
}

function checklist({ openItems, isOver, utterances }: Subject): Suggestion | null {
  const [first] = openItems;
  if (first === undefined || isOver || utterances.length === 0) return null;
  const more = openItems.length - 1;
  return {
    priority: 'low',
    type: 'checklist',
    suggestion:
      more > 0
        ? `${openItems.length} playbook steps left. Next: ${first}`
        : `One playbook step left: ${first}`,
    context: cite(openItems.join(' · ')),
  };
}
