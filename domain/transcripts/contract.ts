import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { callId, participantId, transcriptLineId } from '#domain/ids.ts';

/** Lines in one answer. */
export const mostTranscriptLines = 1000;

export const transcriptLine = z.object({
  id: transcriptLineId,
  participantId,
  name: z.string(),
  kind: z.enum(['staff', 'guest']),
  /** Milliseconds after the call's start. */
  startMs: z.int(),
  endMs: z.int(),
  /** BCP 47, null where the speech service does not say. */
  language: z.string().nullable(),
  text: z.string(),
  /** As it was recognized; null unless a member corrected the line. */
  recognizedText: z.string().nullable(),
});
export type TranscriptLine = z.infer<typeof transcriptLine>;

export const getTranscript = contract({
  method: 'GET',
  path: '/api/calls/:id/transcript',
  summary: 'What was said in a call, in order, in pages',
  permission: 'calls.read',
  params: z.object({ id: callId }),
  query: z.object({
    /** The `next` of the page before. */
    after: z.string().max(100).optional(),
    limit: z.coerce.number().int().min(1).max(mostTranscriptLines).default(mostTranscriptLines),
  }),
  output: {
    200: z.object({
      /** `none`: nobody agreed, or no speech service is set up. `live`: the call is running. */
      state: z.enum(['none', 'live', 'ready', 'failed']),
      lines: z.array(transcriptLine),
      next: z.string().nullable(),
    }),
  },
  errors: [404],
});
