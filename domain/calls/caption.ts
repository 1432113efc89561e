import * as z from 'zod/mini';

/** What a participant has just said. Times are milliseconds after the call's start. */
export const caption = z.object({
  id: z.string(),
  participantId: z.string(),
  kind: z.enum(['staff', 'guest']),
  name: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  language: z.nullable(z.string()),
  text: z.string(),
});
export type Caption = z.infer<typeof caption>;

/** How much was said, without its text. */
export const transcribed = { callId: z.string(), characters: z.number() };

/** What a participant is saying: the words so far, which later ones replace, or none. They are not stored. */
export const interimCaption = {
  participantId: z.string(),
  name: z.string(),
  text: z.string(),
};
