import { z } from 'zod';
import { contract } from '#domain/contract.ts';

const change = z.string().nullable();

export const analytics = z.object({
  totalCalls: z.int(),
  /** Minutes, one decimal, over ended calls. */
  avgDuration: z.number(),
  /** Whole percent of items ticked, over calls that had a playbook. */
  checklistCompletion: z.int(),
  /** Mean score of staff, one decimal; null while nothing was scored. */
  avgNpsScore: z.number().nullable(),
  /** The last 30 days against the 30 before, as '+12%' or '-0.2'; null with nothing to compare. */
  changes: z.object({
    totalCalls: change,
    avgDuration: change,
    checklistCompletion: change,
    avgNpsScore: change,
  }),
  /** How many of the scores are of each kind, and the NPS proper: -100 to 100, null without scores. */
  nps: z.object({
    promoters: z.int(),
    passives: z.int(),
    detractors: z.int(),
    score: z.int().nullable(),
  }),
  /** The last 30 days (UTC), oldest first, days without calls included. */
  trends: z.array(
    z.object({
      date: z.iso.date(),
      calls: z.int(),
      /** Minutes, one decimal, of the ended calls that began that day. */
      avgDuration: z.number(),
    }),
  ),
});
export type Analytics = z.infer<typeof analytics>;

export const readAnalytics = contract({
  method: 'GET',
  path: '/api/analytics',
  summary: 'The figures of the dashboard and of the analytics page',
  permission: 'analytics.read',
  output: { 200: analytics },
});
