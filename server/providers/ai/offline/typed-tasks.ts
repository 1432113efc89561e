import type { Calendar } from './calendar.ts';
import { type Due, findDue } from './due.ts';
import { englishTask } from './english-tasks.ts';
import { germanTask } from './german-tasks.ts';
import { isLowerName, readLine, type TaskKind } from './task-lines.ts';
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
  let isInSection = false;
  let isList = false;
  return utterances.flatMap((said, at): TypedTask[] => {
    if (isHeading(said)) {
      isInSection = heading.test(said.body) && !doneHeading.test(said.body);
      isList = utterances[at + 1]?.isListItem ?? false;
      return [];
    }
    if (isList && !said.isListItem) isInSection = false;
    const task = taskOf(said, calendar, isInSection, at === 0);
    if (!task) return [];
    const isSingular =
      /^(?:[-*•] )?(?:he|she|er)\b|\b(?:he|she|er) \p{L}+t?s?\b|\bsie \p{Ll}+[^e\P{L}\s]t\b/iu.test(
        said.body,
      );
    const person = isSingular && task.owner === 'customer' ? lastPerson(utterances, at) : null;
    return [{ ...task, owner: person ?? task.owner }];
  });
}

/** Returns the name that a pronoun stands for: the nearest common first name before the line. */
function lastPerson(utterances: readonly Utterance[], at: number): string | null {
  for (let before = at - 1; before >= Math.max(0, at - 4); before -= 1) {
    const body = utterances[before]?.body.slice(0, longest) ?? '';
    const titled = /\b(?:Frau|Herr|Mr\.?|Mrs\.?|Ms\.?|Dr\.?) \p{Lu}\p{L}+/u.exec(body)?.[0];
    const words = body.match(/\p{Lu}\p{Ll}+/gu) ?? [];
    const name = titled ?? words.findLast((word) => isLowerName(word.toLowerCase()));
    if (name) return name;
  }
  return null;
}

const heading =
  /^(?:#+\s*)?(?:our |my |the |agreed |open )?(?:actions?(?: items?| points?)?|next steps?|to-?dos?|tasks?|follow[- ]?ups?|ais|homework|agreed|open(?: points| items)?|aufgaben?|nächste schritte|to ?dos?|maßnahmen|massnahmen|vereinbart|offen(?:e punkte)?|hausaufgaben?|wie weiter)\b/iu;
const doneHeading = /\bnone\b|\bkeine\b|\bdone\b/i;
const isHeading = ({ body }: Utterance) =>
  /^[^:]{2,40}:\s*$/u.test(body) ||
  (heading.test(body) && /^[\p{L} #/-]{3,30}:?$/u.test(body) && body.split(/\s+/).length <= 3);

const longest = 400;

function taskOf(
  said: Utterance,
  calendar: Calendar,
  isInSection: boolean,
  isFirst: boolean,
): TypedTask | null {
  if (said.isTicked || said.body.length < 4) return null;
  const body = said.body.slice(0, longest);
  if (isClosed(body)) return null;
  const due = findDue(body, calendar);
  const reading = readLine(body, said, due, isInSection);
  if (isFirst && !reading.isMarked && !said.isListItem && !reading.owner && !due) return null;
  const found = calendar.language === 'de' ? germanTask(reading) : englishTask(reading);
  return found && { said, due, ...found };
}

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
    (/\?\s*$/.test(body) && !/(?:->|=>|→)/.test(body))
  );
}
