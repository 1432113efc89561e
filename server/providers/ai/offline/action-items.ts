import type { ActionItem, Priority } from '#domain/ai/contract.ts';
import { Calendar } from './calendar.ts';
import { type Commitment, findCommitments } from './commitments.ts';
import { isUrgent } from './due.ts';
import { peopleIn } from './people.ts';
import type { TaskKind } from './task-lines.ts';
import { findTypedTasks, personMeant } from './typed-tasks.ts';
import { cite, readUtterances, type Utterance } from './utterances.ts';
import { readableLanguage } from './which-language.ts';

const mostItems = 50;
const confidences: Record<TaskKind, number> = {
  marked: 0.9,
  owner: 0.85,
  subject: 0.85,
  verb: 0.8,
  promise: 0.8,
  thing: 0.7,
  section: 0.7,
};
const longestTitle = 90;
/** Includes a tail that is dropped. Reading takes time quadratic in the length. */
const readForTitle = 200;

/** Returns the tasks and commitments, each once, in the order in which they were made. */
export const actionItemsOf = (...given: Parameters<typeof foundItems>): ActionItem[] =>
  foundItems(...given).map(({ item }) => item);

/** Like `actionItemsOf`, with how many lines of the text come after the line of each. */
export function foundItems(text: string, calledAt: string, timeZone: string): FoundItem[] {
  const language = readableLanguage(text);
  if (language === null) return [];
  const calendar = new Calendar(language, calledAt, timeZone);
  const seen = new Set<string>();
  const found: FoundItem[] = [];
  for (const task of tasksOf(readUtterances(text), calendar)) {
    const item = asItem(task);
    const key = item.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({ item, linesAfter: task.said.linesAfter });
  }
  return found.slice(0, mostItems);
}

interface FoundItem {
  item: ActionItem;
  linesAfter: number;
}

/** Where a line reads as a typed task, it is one; the others are read as speech. */
export function tasksOf(utterances: readonly Utterance[], calendar: Calendar): Task[] {
  const typed = Map.groupBy(findTypedTasks(utterances, calendar), ({ said }) => said);
  const spoken =
    calendar.language === 'en'
      ? Map.groupBy(findCommitments(utterances, calendar), ({ said }) => said)
      : new Map<Utterance, Commitment[]>();
  const people = peopleIn(utterances);
  return utterances.flatMap((said, at): Task[] => {
    const commitments = (spoken.get(said) ?? []).map((one) =>
      one.owner === 'customer' && said.speaker === null
        ? { ...one, owner: personMeant(utterances, at, people) ?? one.owner }
        : one,
    );
    const tasks = typed.get(said) ?? [];
    if (
      tasks.length === 0 ||
      (commitments.length > 1 && tasks.every(({ kind }) => kind === 'subject'))
    )
      return commitments;
    return tasks.map((task) => ({ ...task, acceptedBy: null, confidence: confidences[task.kind] }));
  });
}

type Task = Pick<Commitment, 'said' | 'acceptedBy' | 'what' | 'owner' | 'due' | 'confidence'>;

function asItem(task: Task): ActionItem {
  const { said, acceptedBy, owner, due, confidence } = task;
  return {
    priority: priorityOf(task),
    confidence: Math.round(confidence * 100) / 100,
    title: titleOf(task.what),
    description: acceptedBy ? `${cite(said.line)} — ${cite(acceptedBy.line, 80)}` : cite(said.line),
    owner,
    due: due?.words ?? null,
    dueOn: due?.on ?? null,
  };
}

function priorityOf({ what, due, confidence }: Task): Priority {
  if (isUrgent(`${what} ${due?.words ?? ''}`)) return 'high';
  return due !== null || confidence >= 0.65 ? 'medium' : 'low';
}

const tail =
  /[\s,;:.!?-]+$|,? (?:ok|okay|right|alright|you know|i think|i guess|yeah|please|so|and|but|then|if that(?:'s| is) (?:ok|okay|fine)|for you|thanks)[.!? ]*$/i;

function titleOf(what: string): string {
  let title = what
    .slice(0, readForTitle)
    .replace(/,? (?:but|because|although|so that|if you|unless) .*$/i, '')
    .replace(
      /(?<!\b(?:fr|hr|hrn|dr|mr|mrs|ms|prof|mag|st|nr|no|bzw|ca|inkl|vs|z\.b|e\.g)|\d)[.!?;](?=\s|$).*$/i,
      '',
    );
  while (tail.test(title)) title = title.replace(tail, '');
  title = title.trim() || what;
  return `${title.charAt(0).toUpperCase()}${cite(title, longestTitle).slice(1)}`;
}
