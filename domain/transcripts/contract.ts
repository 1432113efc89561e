import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { callId, participantId, transcriptLineId } from '#domain/ids.ts';

/** Characters (UTF-16 units) of a line. */
const longestLine = 5000;
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
  scope: 'calls:read',
  params: z.object({ id: callId }),
  query: z.object({
    /** The `next` of the page before. */
    after: z.string().max(100).optional(),
    limit: z.coerce.number().int().min(1).max(mostTranscriptLines).default(mostTranscriptLines),
  }),
  output: {
    200: z.object({
      /**
       * `none`: nobody agreed, or no speech service is set up. `live`: the transcript is running. `failed`:
       * nothing that was said could be recognized.
       */
      state: z.enum(['none', 'live', 'ready', 'failed']),
      lines: z.array(transcriptLine),
      /** Phrases of the call that could not be recognized. */
      missingPhrases: z.int(),
      next: z.string().nullable(),
    }),
  },
  errors: [404],
});

export const correctLine = contract({
  method: 'PATCH',
  path: '/api/transcript-lines/:id',
  summary:
    'Correct a line. Its recognized text is kept; sending that text takes the correction back',
  permission: 'calls.update',
  stores: true,
  params: z.object({ id: transcriptLineId }),
  // JSON may need six bytes for a character.
  bodyLimit: 6 * longestLine + 1024,
  body: z.object({
    text: z
      .string({ error: 'Please fill in this field.' })
      .trim()
      .min(1, 'Please fill in this field.')
      .max(longestLine, 'Please use at most 5000 characters')
      .refine((text) => !text.includes('\0'), 'Please remove the NUL character.'),
  }),
  output: { 200: transcriptLine },
  errors: [404],
});

export const transcriptFormats = ['txt', 'srt', 'vtt', 'json', 'docx'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

export const exportTranscript = contract({
  method: 'GET',
  path: '/api/calls/:id/transcript/export',
  summary: 'The transcript as a file, with names and times',
  permission: 'calls.read',
  params: z.object({ id: callId }),
  query: z.object({ format: z.enum(transcriptFormats).default('txt') }),
  output: { 200: null },
  download: [
    'text/plain',
    'application/x-subrip',
    'text/vtt',
    'application/json',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  errors: [404, 429],
});

export const readSpeechService = contract({
  method: 'GET',
  path: '/api/speech-service',
  summary: 'The service that turns speech into text, and where audio is sent',
  permission: 'calls.read',
  output: {
    200: z.object({
      /** Null where the operator has set up none: then nothing is transcribed. */
      service: z
        .object({
          kind: z.enum(['openai-compatible', 'deepgram', 'local']),
          /** Service and model. */
          recognizer: z.string(),
          /** Null if audio stays on this server. */
          host: z.string().nullable(),
        })
        .nullable(),
    }),
  },
});
