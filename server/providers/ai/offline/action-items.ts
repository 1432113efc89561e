import type { ActionItem, Priority } from '#domain/ai/contract.ts';
import { type Commitment, findCommitments } from './commitments.ts';
import { isUrgent } from './due.ts';
import { cite, readUtterances } from './utterances.ts';

const mostItems = 50;
const longestTitle = 90;
/** Includes a tail that is dropped. Reading takes time quadratic in the length. */
const readForTitle = 200;

/** Returns the commitments, each once, in the order in which they were made. */
export function actionItemsOf(text: string): ActionItem[] {
  const seen = new Set<string>();
  const found: ActionItem[] = [];
  for (const commitment of findCommitments(readUtterances(text))) {
    const item = asItem(commitment);
    const key = item.title.toLowerCase().replace(/\W+/g, ' ');
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(item);
  }
  return found.slice(0, mostItems);
}

function asItem(commitment: Commitment): ActionItem {
  const { said, acceptedBy, owner, due, confidence } = commitment;
  return {
    priority: priorityOf(commitment),
    confidence: Math.round(confidence * 100) / 100,
    title: titleOf(commitment.what),
    description: acceptedBy ? `${cite(said.line)} — ${cite(acceptedBy.line, 80)}` : cite(said.line),
    owner,
    due,
  };
}

function priorityOf({ what, due, confidence }: Commitment): Priority {
  if (isUrgent(`${what} ${due ?? ''}`)) return 'high';
  return due !== null || confidence >= 0.65 ? 'medium' : 'low';
}

const tail =
  /[\s,;:.!?-]+$|,? (?:ok|okay|right|alright|you know|i think|i guess|yeah|please|so|and|but|then|if that(?:'s| is) (?:ok|okay|fine)|for you|thanks)[.!? ]*$/i;

function titleOf(what: string): string {
  let title = what
    .slice(0, readForTitle)
    .replace(/,? (?:but|because|although|so that|if you|unless) .*$/i, '')
    .replace(/[.!?;].*$/, '');
  while (tail.test(title)) title = title.replace(tail, '');
  title = title.trim() || what;
  return `${title.charAt(0).toUpperCase()}${cite(title, longestTitle).slice(1)}`;
}
