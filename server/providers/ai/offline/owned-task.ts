import type { Found, Reading } from './task-lines.ts';

/** Patterns of a language. */
interface Language {
  /** A verb that reports what is, rather than what is to be done. */
  finite: RegExp;
  /** What happens on a day, and is no one's task. */
  events: RegExp;
}

/** Finds a task that is a thing with an owner: "slides -> Raj", "Kofi: mapping, done by tomorrow". */
export function ownedTask(
  {
    task,
    body,
    owner,
    due,
    isListItem,
    isInSection,
    isMarked,
    isOwnerLast,
    isGuess,
    isNearTask,
  }: Reading,
  { finite, events }: Language,
): Found | null {
  if (owner === null) return null;
  if (finite.test(task.split(/[,;(]/)[0] ?? '') && due === null && !isMarked) return null;
  const isArrow = !isGuess && /(?:->|=>|→)/.test(body);
  if (isGuess && !isInSection && !isMarked && !due) return null;
  if (
    isOwnerLast &&
    !isArrow &&
    !due &&
    !isInSection &&
    !isMarked &&
    !isNearTask &&
    !/[,(]/.test(body)
  )
    return null;
  if (!due && !isListItem && !isInSection && !isMarked && !isArrow && !isNearTask) return null;
  if (task.replace(/[^\p{L}]/gu, '').length < 3 || (events.test(body) && !isMarked)) return null;
  return { what: task, owner, kind: 'owner' };
}
