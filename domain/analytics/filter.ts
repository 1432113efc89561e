import { z } from 'zod';
import { accountId, playbookId, roomId } from '#domain/ids.ts';

/** A day, UTC, in the years that PostgreSQL's dates and ours both have. */
const day = z.iso
  .date('Please choose a date')
  .refine((text) => text > '0001-01-01', 'Please choose a date');

/** One room, calls with one playbook, calls that one person started, a period, or all of these. */
export const analyticsFilter = z.object({
  roomId: roomId.optional(),
  playbookId: playbookId.optional(),
  agentId: accountId.optional(),
  /** The first and the last day of the period, UTC. */
  from: day.optional(),
  to: day.optional(),
});
export type AnalyticsFilter = z.infer<typeof analyticsFilter>;
