import { z } from 'zod';
import { day } from '#domain/day.ts';
import { accountId, playbookId, roomId } from '#domain/ids.ts';

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
