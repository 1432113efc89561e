import type { Calendar } from './calendar.ts';
import { type Due, findDue } from './due.ts';
import { englishTask } from './english-tasks.ts';
import { germanTask } from './german-tasks.ts';
import { isInLowerCase, lastPerson, type Naming, type People, peopleIn } from './people.ts';
import { type Section, sectionOf } from './sections.ts';
import { asWritten, statedOwner } from './stated-owner.ts';
import { subjectOf } from './subject.ts';
import { type Found, type Place, readLine, type TaskKind } from './task-lines.ts';
import type { Utterance } from './utterances.ts';

/** A task in notes that someone typed. */
export interface TypedTask {
  said: Utterance;
  what: string;
  owner: string | null;
  due: Due | null;
  kind: TaskKind;
}

/** Returns the task of each line that states one. */
export function findTypedTasks(utterances: readonly Utterance[], calendar: Calendar): TypedTask[] {
  const people = peopleIn(utterances);
  const sections = sectionsOf(utterances, people, calendar);
  const isLower = isInLowerCase(utterances);
  const hasSection = sections.some((section) => section != null);
  const find = (at: number, isNearTask: boolean): TypedTask | null => {
    const said = utterances[at];
    const section = sections[at];
    if (!said || section === 'heading') return null;
    const isInSection = section !== null && section !== undefined;
    const place: Place = {
      isInSection,
      isListItem: said.isListItem && (isInSection || !hasSection),
      isNearTask,
      naming: { people, isGerman: calendar.language === 'de', isLower, isLoose: isInSection },
    };
    const task = taskOf(said, calendar, place, at === 0);
    if (!task) return null;
    // "Ada: Great. I'll send it": who speaks says "I" in later sentences as well.
    const speaker =
      task.owner === 'me' ? readLine(said.body.slice(0, longest), said, null, place).speaker : null;
    const stated = task.owner === null ? statedOwner(said.body, place.naming) : null;
    const owner = speaker ?? task.owner ?? stated ?? section?.owner ?? null;
    const person = owner === 'customer' ? personMeant(utterances, at, people) : null;
    const due =
      task.due?.on == null ? (earlierDue(utterances, at, calendar) ?? task.due) : task.due;
    const by = person ?? owner;
    return { ...task, due, owner: by === null ? null : asWritten(by, said.body) };
  };
  const tasks = utterances.map((_, at) => find(at, false));
  // Beside a task, a sentence about a person is more likely to be one, too.
  tasks.forEach((_, at) => {
    if (tasks[at] === null && tasks[at - 1]) tasks[at] = find(at, true);
  });
  for (let at = tasks.length - 2; at >= 0; at -= 1) {
    if (tasks[at] === null && tasks[at + 1]) tasks[at] = find(at, true);
  }
  return tasks.filter((task) => task !== null);
}

/** Returns the section of each line, "heading" for headings, and null for lines in none. */
function sectionsOf(
  utterances: readonly Utterance[],
  people: People,
  { language }: Calendar,
): (Section | 'heading' | null)[] {
  const naming: Naming = { people, isGerman: language === 'de', isLoose: false };
  let current: Section | null = null;
  let isList = false;
  return utterances.map((said, at) => {
    const opened = sectionOf(said, naming);
    if (opened !== undefined) {
      current = opened;
      isList = utterances[at + 1]?.isListItem ?? false;
      return 'heading';
    }
    if (isList && !said.isListItem) current = null;
    return current;
  });
}

const singular = /(?<!\p{L})(?:he|she|er)(?!\p{L})|\bsie \p{Ll}+[^e\P{L}\s]t\b/iu;
/** Returns whom "he" or "she" in a line stands for. */
export const personMeant = (utterances: readonly Utterance[], at: number, people: People) => {
  const body = utterances[at]?.body ?? '';
  return singular.test(body) ? lastPerson(utterances, at, people, pronounAt(body)) : null;
};

/** Where the pronoun stands that a name before it may explain. */
const pronounAt = (body: string) => pronoun.exec(body.slice(0, longest))?.index ?? 0;
const pronoun = /(?<!\p{L})(?:he|she|er|sie)(?:['’](?:ll|s|d))?(?= \p{Ll})/iu;

/** "bis dahin", "by then": the last date before. */
function earlierDue(utterances: readonly Utterance[], at: number, calendar: Calendar): Due | null {
  const body = utterances[at]?.body.slice(0, longest) ?? '';
  const match = then.exec(body);
  if (!match) return null;
  const before = [
    body.slice(0, match.index),
    ...[1, 2, 3].map((back) => utterances[at - back]?.body ?? ''),
  ];
  for (const text of before) {
    const due = findDue(text, calendar);
    if (due?.on) return { ...due, words: match[0], isDeadline: true };
  }
  return null;
}
const then = /(?<!\p{L})(?:bis dahin|by then|before then|until then|vorher)(?!\p{L})/iu;
const longest = 400;
/** Not after "Dr." or "z. B.". */
const sentenceEnd = /(?<=[\p{L}\d)"”]{3}[.!])\s+(?=\p{Lu})/u;

function taskOf(
  said: Utterance,
  calendar: Calendar,
  place: Place,
  isFirst: boolean,
): TypedTask | null {
  if (said.isTicked || said.body.length < 4) return null;
  const body = said.body.slice(0, longest);
  if (isClosed(body)) return null;
  const whole = sentenceTask(body, said, calendar, place);
  if (isFirst && whole && !isStatement(whole, said)) return null;
  const sentences = body.split(sentenceEnd);
  if (sentences.length === 1) return whole;
  const each = sentences.map((sentence) => sentenceTask(sentence, said, calendar, place));
  const found = each.filter((task) => task !== null);
  const dated = found.find(({ due }) => due?.on != null);
  if (whole?.owner && (dated ?? found[0])?.owner == null) return whole;
  return dated ?? found[0] ?? whole;
}

function sentenceTask(
  body: string,
  said: Utterance,
  calendar: Calendar,
  place: Place,
): TypedTask | null {
  const due = findDue(body, calendar);
  const reading = readLine(body, said, due, place);
  const found: Found | null =
    calendar.language === 'de' ? germanTask(reading) : englishTask(reading);
  return (
    found && {
      said,
      due: found.kind === 'subject' ? ownDue(body, found.what, due, place, calendar) : due,
      ...found,
    }
  );
}

/** "Ravi drafts it, Jen reviews on Friday": the date is of another person's task. */
function ownDue(
  body: string,
  what: string,
  due: Due | null,
  { naming }: Place,
  calendar: Calendar,
): Due | null {
  if (due === null) return null;
  const [first = '', ...others] = body.split(/,\s+(?:and\s+|und\s+)?/u);
  if (!what.startsWith(first.slice(0, 10)) && what.includes(due.words)) return due;
  const strict = { ...naming, isLoose: false };
  const isOther = others.some((other) => {
    const subject = subjectOf(other, strict);
    return subject?.isKnown && /^\p{Ll}+ \S/u.test(subject.predicate) && other.includes(due.words);
  });
  const subject = subjectOf(first, strict);
  return isOther && subject?.isKnown && /^\p{Ll}+ \S/u.test(subject.predicate)
    ? findDue(first, calendar)
    : due;
}

/** The first line is a heading, unless it is a sentence or marked. */
const isStatement = ({ kind, owner, due }: TypedTask, { isListItem, line }: Utterance) =>
  isListItem ||
  /^\s*(?:@|\[ ?\]|todo\b)/i.test(line) ||
  (/^(?:subject|promise|verb)$/.test(kind)
    ? owner !== null || due !== null
    : /^[^:]{2,20}: /.test(line) && due !== null);

const attendance =
  /^(?:attend\w*|present|participants|roll call|anwesend\w*|teilnehmer\w*|dabei|tn)\b/iu;
/** "Rosa: “…”" */
const sides =
  /^(?:(?:their|our|customer|client)(?: side)?|unsere seite|deren seite|von uns|vom kunden|kunde)\s*:\s*\p{Lu}\p{L}+(?: \([^)]{1,30}\))?\s*(?:,|\.|;|&|and\b|und\b|$)/iu;
const quotation = /^[^:"“„«]{1,40}:\s*["“„«]/u;

/** What is done, denied, asked, or only quoted. */
function isClosed(body: string): boolean {
  return (
    /^(?:(?:->|=>|→) ?)?(?:done|erledigt|fertig|sent|✓|✔|fyi|ps|agenda|yesterday|gestern)\b/i.test(
      body,
    ) ||
    /\b(?:no (?:actions?|next steps?|tasks?|to-?dos?|open (?:issues|points))|none for now|keine (?:aufgaben|nächsten schritte|offenen punkte|to-?dos?)|already (?:sent|done|live|fixed)|schon (?:erledigt|online|gemacht|verschickt)|bereits (?:erledigt|verschickt|geschickt))\b/i.test(
      body,
    ) ||
    /^["“„«].*["”“»]\.?$/u.test(body) ||
    attendance.test(body) ||
    (sides.test(body) && !/\d/.test(body)) ||
    /\b(?:ooo|out of (?:the )?office)\b/i.test(body) ||
    quotation.test(body) ||
    (/\?\s*$/.test(body) && !/(?:->|=>|→)/.test(body))
  );
}
