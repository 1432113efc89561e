import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { analyticsFilter } from './filter.ts';

const change = z.string().nullable();

export const analytics = z.object({
  /** Completed calls. */
  totalCalls: z.int(),
  /** Minutes, one decimal, like all averages over completed calls with a guest. */
  avgDuration: z.number(),
  /** Whole percent of items ticked, over calls that had a playbook. */
  checklistCompletion: z.int(),
  /** What these two are over. Without any they are 0, and pages show a dash. */
  averagedCalls: z.int(),
  checklistItems: z.int(),
  /** Mean score of staff, one decimal; null without scores. */
  avgNpsScore: z.number().nullable(),
  /**
   * The last 30 complete days, UTC, compared with the 30 before, as '+12%' or '-0.2'; null with nothing to
   * compare. Of a period of at most a year, the period compared with as many days before it.
   */
  changes: z.object({
    totalCalls: change,
    avgDuration: change,
    checklistCompletion: change,
    avgNpsScore: change,
  }),
  /** The number of scores of each kind, and the Net Promoter Score: -100 to 100, null without scores. */
  nps: z.object({
    promoters: z.int(),
    passives: z.int(),
    detractors: z.int(),
    score: z.int().nullable(),
  }),
  /** The last 30 days (UTC), or the last 366 of the period, oldest first, days without calls included. */
  trends: z.array(
    z.object({
      date: z.iso.date(),
      calls: z.int(),
      /** Mean duration of the calls that began that day, in minutes with one decimal. */
      avgDuration: z.number(),
      averagedCalls: z.int(),
    }),
  ),
});
export type Analytics = z.infer<typeof analytics>;

export const readAnalytics = contract({
  method: 'GET',
  path: '/api/analytics',
  summary: 'The figures of the dashboard and of the analytics page',
  permission: 'analytics.read',
  scope: 'analytics:read',
  query: analyticsFilter,
  output: { 200: analytics },
});
