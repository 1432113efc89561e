import { z } from 'zod';

/** The messages between the server's thread and the worker. */
export const task = z.object({
  what: z.enum(['sentiment', 'coaching', 'action items']),
  conversation: z.object({
    text: z.string(),
    openItems: z.array(z.string()).readonly(),
    isOver: z.boolean(),
    calledAt: z.string(),
    timeZone: z.string(),
  }),
});
export type Task = z.infer<typeof task>;

export const outcome = z.object({ result: z.unknown().optional(), error: z.string().optional() });
