import { z } from 'zod';
import { analyticsFilter } from '#domain/analytics/filter.ts';
import { searchText } from '#domain/paging.ts';

/** The score of a call that counts (docs/product-decisions.md, Filters): of NPS's groups, or without one. */
export const scoreGroups = ['promoters', 'passives', 'detractors', 'none'] as const;
/** Of each group: how many scores count for a call, the least, and the greatest score (spec section 9). */
export const scoreRanges = {
  promoters: [1, 9, 10],
  passives: [1, 7, 8],
  detractors: [1, 0, 6],
  none: [0, 0, 10],
} as const satisfies Record<(typeof scoreGroups)[number], readonly [number, number, number]>;
/** Whether a completed call had a guest; calls whose participants are not known are `with`. */
export const guestChoices = ['with', 'without'] as const;
export const callSorts = ['newest', 'oldest', 'longest', 'shortest', 'highest', 'lowest'] as const;

/** What a list of calls is narrowed to. `score` and `guests` leave out running calls. */
export const callFilter = analyticsFilter.extend({
  score: z.enum(scoreGroups).optional(),
  guests: z.enum(guestChoices).optional(),
  /** Matches anywhere in the room's topic. */
  search: searchText.optional(),
  /** By duration without running calls, and by score without those that have no score that counts. */
  sort: z.enum(callSorts).optional(),
});
export type CallFilter = z.infer<typeof callFilter>;
export type CallSort = (typeof callSorts)[number];

/** Whether a list needs more than the newest calls, of a room or of all. */
export const isFiltered = ({
  playbookId,
  agentId,
  from,
  to,
  score,
  guests,
  search,
  sort,
}: CallFilter) =>
  [playbookId, agentId, from, to, score, guests, search, sort].some((value) => Boolean(value));
