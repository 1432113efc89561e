import * as z from 'zod/mini';

/** The running call of a room, as live messages have it. */
export const callState = z.object({
  id: z.string(),
  /** When the first person joined; until then, when the call was created. */
  startedAt: z.string(),
  /** Whether someone has joined, or the engine cannot tell. */
  joined: z.boolean(),
  /** Newcomers are not admitted. */
  locked: z.optional(z.boolean()),
});
export type CallState = z.infer<typeof callState>;
