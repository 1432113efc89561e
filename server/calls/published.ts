import type { CountReceivers } from './roster-news.ts';
import type { WorkBudget } from './work-budget.ts';

/** Who publishes in a room pays for the pages that receive it. */
export interface Published {
  work: WorkBudget;
  receivers: CountReceivers;
}
