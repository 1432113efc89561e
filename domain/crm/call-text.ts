import { type CrmMapping, type TextPart, textParts } from './mapping.ts';

/** Characters of the notes that CRMs get at most; each takes less in a text or a property. */
export const mostNotesForCrm = 40_000;

/** A call as CRMs get it. */
export interface LoggedCall {
  id: string;
  topic: string;
  /** Of the call's page. */
  url: string;
  startedAt: Date;
  durationSec: number | null;
  /** Their first `mostNotesForCrm` characters. */
  notes: string | null;
  score: number | null;
  scoreFeedback: string | null;
  /** Sentences. */
  summary: readonly string[] | null;
}

/** An action item as CRMs get it. */
export interface LoggedItem {
  id: string;
  title: string;
  description: string;
  priority: 'high' | 'medium' | 'low';
  /** YYYY-MM-DD */
  dueOn: string | null;
  isCompleted: boolean;
}

export const titleOf = ({ topic }: LoggedCall) => `Rapport call: ${topic}`.slice(0, 255);

/** Returns the properties that the mapping names. */
export const propertyNames = (mapping: CrmMapping): string[] =>
  textParts.flatMap((part) => (mapping[part].isSent ? (mapping[part].property ?? []) : []));

/** Returns the value of each property that the mapping names. Null clears what was sent before. */
export function propertiesOf(
  call: LoggedCall,
  mapping: CrmMapping,
): Record<string, string | number | null> {
  const sent = textParts.flatMap((part) => {
    const { isSent, property } = mapping[part];
    return isSent && property !== null ? [[property, valueOfPart(call, part)] as const] : [];
  });
  return Object.fromEntries(sent);
}

/**
 * Returns the text of the call: the link, then each part that the mapping sends without a property.
 * @param most characters; the notes, which are last, are cut
 */
export function callText(call: LoggedCall, mapping: CrmMapping, most: number): string {
  const isInText = (part: TextPart) => mapping[part].isSent && mapping[part].property === null;
  const parts = [`Rapport: ${call.url}`];
  if (isInText('score') && call.score !== null) {
    const feedback = call.scoreFeedback ? `\n${call.scoreFeedback}` : '';
    parts.push(`Team’s rating: ${call.score} of 10${feedback}`);
  }
  if (isInText('summary') && call.summary?.length)
    parts.push(`Summary\n${call.summary.map((line) => `• ${line}`).join('\n')}`);
  if (isInText('notes') && call.notes?.trim()) parts.push(`Notes\n${call.notes.trim()}`);
  return cut(parts.join('\n\n'), most);
}

function valueOfPart(call: LoggedCall, part: TextPart): string | number | null {
  if (part === 'score') return call.score;
  const text = part === 'notes' ? call.notes?.trim() : call.summary?.join('\n');
  return text ? cut(text, mostPropertyLength) : null;
}
const mostPropertyLength = 30_000;

/** Ends with an ellipsis where something is missing; never within a character of two code units. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
