import { priorities, type Suggestion } from '#domain/ai/contract.ts';
import { tasksOf } from './action-items.ts';
import { Calendar } from './calendar.ts';
import { coachingTexts } from './coaching-texts.ts';
import { concernAdvice } from './concern-advice.ts';
import { findDue } from './due.ts';
import { lineMoods } from './line-moods.ts';
import type { Task } from './tasks.ts';
import { concernLines } from './unease.ts';
import { cite, readUtterances, type Utterance } from './utterances.ts';
import { type ReadableLanguage, readableLanguage } from './which-language.ts';

type Subject = Task['conversation'];

interface Given {
  language: ReadableLanguage;
  calendar: Calendar;
  utterances: readonly Utterance[];
  openItems: readonly string[];
  isOver: boolean;
}

/** More advice would not be read during a call. */
const mostSuggestions = 5;
const monologueWords = 110;

/** Returns advice, each with a quoted line of the conversation, most urgent first. */
export function coach({ text, openItems, isOver, calledAt, timeZone }: Subject): Suggestion[] {
  const language = readableLanguage(text);
  const utterances = readUtterances(text);
  const base = { openItems, isOver, utterances };
  if (language === null) return checklist({ ...base, language: 'en' });
  const given = { ...base, language, calendar: new Calendar(language, calledAt, timeZone) };
  const raised = concernLines(utterances, language).map(({ name, said }) => {
    const { priority, type, suggestion } = concernAdvice[name];
    return { priority, type, suggestion: suggestion[language], context: cite(said.line) };
  });
  const found = [
    ...withoutRepeats(raised),
    ...[unanswered, praise, monologue, nextStep].flatMap(
      (rule) => rule(given, raised.length) ?? [],
    ),
    ...checklist(given),
  ];
  return found
    .sort((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority))
    .slice(0, mostSuggestions);
}

/** A line that raises two concerns of a type causes the advice on the more serious one. */
const withoutRepeats = (raised: readonly Suggestion[]) =>
  raised.filter(({ context }, at) => raised.findIndex((other) => other.context === context) === at);

const answers =
  /^(?:ja|nein|klar|genau|natürlich|sicher|mache|das (?:ist|geht|können)|ich |wir |yes|yeah|yep|yup|sure|no|nope|of course|absolutely|good question|great question|exactly|right|definitely|not yet|it (?:is|does|can|will)|that (?:is|would|depends)|we (?:do|can|will|have|support)|so|well|i think|let me|i'll|i will|you can)\b/i;
const rhetorical =
  /\b(?:right|okay|ok|you know|isn't it|don't you think|does that make sense|make sense|can you (?:hear|see)(?: me)?|how are you|how's it going|are you there)\s*\?\s*$/i;

/** The last question without an answer. */
function unanswered({ utterances, language }: Given): Suggestion | null {
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
    suggestion: coachingTexts[language].unanswered,
    context: cite(asked.line),
  };
}

const praiseFrom = 3.2;

/** Praise is the moment to ask for a reference. */
function praise({ utterances, language }: Given, concerns: number): Suggestion | null {
  if (concerns > 0) return null;
  const best = lineMoods(utterances, language)
    .map(({ said, good, bad }) => ({ said, sum: good + 2 * bad }))
    .filter(({ sum }) => sum >= praiseFrom)
    .sort((a, b) => b.sum - a.sum)[0];
  if (!best) return null;
  return {
    priority: 'low',
    type: 'advocacy',
    suggestion: coachingTexts[language].praise,
    context: cite(best.said.line),
  };
}

/** One person has talked for long. */
function monologue({ utterances, language }: Given): Suggestion | null {
  const named = utterances.filter(({ speaker }) => speaker !== null);
  let run = 0;
  for (const [at, { speaker, text }] of named.entries()) {
    run = speaker === named[at - 1]?.speaker ? run : 0;
    run += text.split(/\s+/).length;
    if (run < monologueWords) continue;
    return {
      priority: 'medium',
      type: 'listening',
      suggestion: coachingTexts[language].monologue(speaker ?? ''),
      context: cite(text),
    };
  }
  return null;
}

const fewestWords = 35;
/** A list of actions is a next step, dated or not. */
const fewestTasks = 2;

/** A conversation of some length without an agreed next step. */
function nextStep({ utterances, isOver, calendar, language }: Given): Suggestion | null {
  const words = utterances.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const last = utterances.at(-1);
  if (isOver || !last || words < fewestWords) return null;
  const agreed = tasksOf(utterances, calendar);
  const isDated = utterances.some(({ body }) => findDue(body, calendar) !== null);
  if (isDated || agreed.length >= fewestTasks) return null;
  const [open] = agreed;
  return {
    priority: open ? 'low' : 'medium',
    type: 'next_step',
    suggestion: open ? coachingTexts[language].undated : coachingTexts[language].noNextStep,
    context: cite((open?.said ?? last).line),
  };
}

function checklist({
  openItems,
  isOver,
  utterances,
  language,
}: Omit<Given, 'calendar'>): Suggestion[] {
  const [first] = openItems;
  if (first === undefined || isOver || utterances.length === 0) return [];
  return [
    {
      priority: 'low',
      type: 'checklist',
      suggestion: coachingTexts[language].openItems(openItems.length, first),
      context: cite(openItems.join(' · ')),
    },
  ];
}
