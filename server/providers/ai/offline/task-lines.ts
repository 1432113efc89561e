import type { Due } from './due.ts';
import { ownerAfter, ownerBefore } from './owner-slot.ts';
import { type Naming, ownerIn, ownerOf } from './people.ts';
import type { Utterance } from './utterances.ts';

export type TaskKind = 'marked' | 'owner' | 'subject' | 'verb' | 'promise' | 'thing' | 'section';

/** What a line was found to state. */
export interface Found {
  what: string;
  owner: string | null;
  kind: TaskKind;
}

/** What a line's surroundings say. */
export interface Place {
  /** Under a heading that announces tasks. */
  isInSection: boolean;
  /** In a list, unless the notes have a list of tasks elsewhere. */
  isListItem: boolean;
  /** The line before or after is a task. */
  isNearTask: boolean;
  naming: Naming;
}

/** A typed line, taken apart. */
export interface Reading extends Place {
  /** The whole line, without its bullet. */
  body: string;
  /** The words of the task: without marks, names, and dates around it. */
  task: string;
  owner: string | null;
  due: Due | null;
  /** "TODO", "[ ]", "=>", "bitte". */
  isMarked: boolean;
  /** The name stands after the task: "the deck -> Raj". */
  isOwnerLast: boolean;
  /** Only the capital letter before a colon makes the owner a name. */
  isGuess: boolean;
  /** The name before speech, as in a transcript; null in notes. */
  speaker: string | null;
}

const mark =
  /^(?:(?:actions?(?: items?| points?)?|ai|ap|to-?dos?|tasks?|next steps?|next|nxt|follow[- ]?up|f\/u|aufgaben?|nächster schritt|nächste schritte|hausaufgaben?|homework|my homework|maßnahme|wir|deliverable)\s*(?:[:>–—]|-(?=\s))|(?:=>|->|→|>>|!+|☐|□)\s*|(?:todo|to-do)\b\s*)\s*/iu;
const homeworkOf =
  /^(?:(my|our|meine?|unsere?)\s+)?(?:homework|to-?dos?|actions?(?: items?| points?)?|ais?|aps?|tasks?|commitments?|pending|outstanding|next steps?|hausaufgaben?|aufgaben?|zusagen?)(?:\s+(?:for|of|from|by|on|für|von|bei)?\s*(?:the |den |die )?(?!items?\b|points?\b)((?:our|their) side|[\p{L}]+))?\s*(?::|\s[-–])\s*(.+)$/iu;
/** "To do (us): …", "Action (Rosa) – …" */
const addressedTo =
  /^(?:to-? ?dos?|actions?(?: items?)?|tasks?|next steps?|follow[- ]?ups?|aufgaben?|nächste schritte)\s*\(([^)]{1,30})\)\s*[:–-]\s*(.+)$/iu;
/** A date or a word before a colon that the task does not need. */
const lead =
  /^(?:today|heute|but|aber|next|plan|open|offen|(?:mon|tue|wed|thu|fri)s?|weds|thurs)\s*:\s*(.+)$/iu;

/** Takes a line apart. */
export function readLine(
  body: string,
  { line, speaker }: Utterance,
  due: Due | null,
  place: Place,
): Reading {
  const { naming } = place;
  const reading: Reading = {
    ...place,
    body,
    task: body,
    owner: null,
    due,
    isMarked: /^(?:[-*•–]\s*)?\[ ?\]/.test(line),
    isOwnerLast: false,
    isGuess: false,
    speaker: null,
  };
  if (
    speaker !== null &&
    /^(?:agent|customer|client|speaker|user|host|rep)\b/i.test(speaker) &&
    isSpeech(body.replace(/^[^:]*:\s*/, ''))
  )
    return { ...reading, speaker };
  const addressed = addressedTo.exec(body);
  const addressee = ownerIn(addressed?.[1] ?? '', { ...naming, isLoose: true });
  if (addressed?.[2] && addressee !== null)
    return { ...reading, task: addressed[2], owner: addressee, isMarked: true };
  const homework = homeworkOf.exec(body);
  const isOwned =
    homework?.[1] !== undefined ||
    ownerIn(homework?.[2] ?? '', { ...naming, isLoose: true }) !== null;
  if (homework?.[3] && isOwned) {
    const owner = homework[1]
      ? /^m/i.test(homework[1])
        ? 'me'
        : 'us'
      : ownerOf(homework[2] ?? '');
    return { ...reading, task: homework[3].trim(), owner, isMarked: true };
  }
  const marked = mark.exec(body);
  if (marked && !/^wir/i.test(marked[0]) && body.length > marked[0].length + 3) {
    reading.task = body.slice(marked[0].length);
    reading.isMarked = true;
  }
  const isLoose = naming.isLoose || reading.isMarked;
  const before = ownerBefore(reading.task, { ...naming, isLoose });
  if (before && !/^[@[]/.test(reading.task) && isSpeech(before.rest)) {
    return { ...reading, task: before.rest, speaker: before.owner };
  }
  const after =
    before === null || before.isGuess
      ? ownerAfter(reading.task, due, { ...naming, isLoose: false })
      : null;
  const slot = after ?? before;
  if (!slot) return { ...reading, task: lead.exec(reading.task)?.[1] ?? reading.task.trim() };
  const isMentioned = /^[@[]/.test(reading.task) || /\s@\p{L}/u.test(reading.task);
  return {
    ...reading,
    task: slot.rest.trim(),
    owner: slot.owner,
    isMarked: reading.isMarked || isMentioned,
    isOwnerLast: slot.isLast,
    isGuess: slot.isGuess,
  };
}

const isSpeech = (text: string) =>
  /^(?:(?:i|we|ich|wir)(?=\s)|i'm|i’m|i'll|i’ll|we're|we’re|you|it|it's|it’s|that|that's|this|there|he|she|they|the \w+ (?:is|are|was|has|keeps)|and|but|so|ok|okay|yes|no|yeah|sure|great|thanks|thank you(?! (?:note|mail|card))|hi|hello|well|can|could|would|do|does|did|is|are|what|when|how|why|who|where|let|let's|honestly|right|perfect|good|sounds|ja|nein|klar|gut|danke|hallo|sie|es|das|die \w+ (?:ist|sind|fehlt|hat)|und|aber|also|können|könnten|kann|was|wann|wie|warum|wer|genau|super)\b(?!\s*[:+&/])/iu.test(
    text,
  ) || /\?\s*$/.test(text);
