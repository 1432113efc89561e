import { z } from 'zod';

/** The words of a part of the audio, in seconds of what was sent on the connection. */
const results = z.object({
  type: z.literal('Results'),
  start: z.number().min(0),
  duration: z.number().min(0),
  /** False: the words so far, which later results replace. */
  is_final: z.boolean().default(false),
  /** This is the answer to `Finalize`. */
  from_finalize: z.boolean().default(false),
  channel: z.object({
    alternatives: z
      .array(
        z.object({
          transcript: z.string(),
          /** The most frequent first. */
          languages: z.array(z.string().max(40)).optional().catch(undefined),
        }),
      )
      .min(1),
  }),
});
const failure = z.object({ type: z.literal('Error') });
/** Among them `Metadata`, which ends a stream, and any that are added to the API. */
const other = z.object({ type: z.string() });

export type Results = z.infer<typeof results>;

/** @returns the results in a message, `error`, `other` for one that says nothing here, null if it is malformed */
export function readMessage(text: string): Results | 'error' | 'other' | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const found = results.safeParse(json);
  if (found.success) return found.data;
  if (failure.safeParse(json).success) return 'error';
  const named = other.safeParse(json);
  return named.success && named.data.type !== 'Results' ? 'other' : null;
}
