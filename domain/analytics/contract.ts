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
});
export type Analytics = z.infer<typeof analytics>;

export const readAnalytics = contract({
  method: 'GET',
  path: '/api/analytics',
  summary: 'The four figures of the dashboard',
  permission: 'analytics.read',
  output: { 200: analytics },
});
