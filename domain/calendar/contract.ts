import { z } from 'zod';
import { contract } from '#domain/contract.ts';

const feed = z.object({
  /** Null without a calendar address. */
  createdAt: z.iso.datetime().nullable(),
});
export type CalendarFeed = z.infer<typeof feed>;

export const readCalendarFeed = contract({
  method: 'GET',
  path: '/api/calendar-feed',
  summary: 'Whether your calls can be read as a calendar, by a secret address',
  permission: 'calls.read',
  output: { 200: feed },
});

export const makeCalendarFeed = contract({
  method: 'POST',
  path: '/api/calendar-feed',
  summary:
    'Make a secret address of a calendar with your calls, shown this once; it replaces the former',
  permission: 'calls.read',
  needsVerifiedAddress: true,
  output: { 201: feed.extend({ url: z.string() }) },
  errors: [429],
});

export const removeCalendarFeed = contract({
  method: 'DELETE',
  path: '/api/calendar-feed',
  summary: 'End the secret address of your calendar',
  permission: 'calls.read',
  output: { 204: null },
});
