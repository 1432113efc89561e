import type { NotesTurns } from './notes-turns.ts';
import type { CountReceivers } from './roster-news.ts';
import type { WorkBudget } from './work-budget.ts';

/** Who publishes in a room pays for the pages that receive it. */
export interface Published {
  work: WorkBudget;
  receivers: CountReceivers;
  /** Of edits of notes, which are charged by their bytes, too. */
  notesTurns: NotesTurns;
}
