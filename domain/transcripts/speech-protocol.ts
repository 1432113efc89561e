import * as z from 'zod/mini';

/**
 * The protocol of `/ws/speech`: one page sends the sound of its own microphone. The page sends `hello`, waits
 * for `ready`, and announces each file with `begin`. Then follow the slices of the file, as binary messages.
 * The server closes with `notCaptured` when the participant may no longer be captured.
 */
export const speechProtocol = 1;

/** The file that a page records: WebM with Opus. */
export const speechMimeType = 'audio/webm;codecs=opus';
export const speechBitsPerSecond = 24_000;
export const speechSliceMs = 250;
/** Bytes of one slice: many times what a quarter of a second takes. */
export const longestSpeechSlice = 32 * 1024;
/** A page that sends nothing for so long is gone: a recorder sends slices of silence, too. */
export const speechSilenceSeconds = 30;

export const speechToServer = z.discriminatedUnion('type', [
  /** `token`: a meeting token. */
  z.object({
    type: z.literal('hello'),
    protocol: z.number(),
    token: z.string().check(z.maxLength(4096)),
  }),
  /** A new file begins, and the one before has ended. `ageMs`: how long ago its recorder started. */
  z.object({
    type: z.literal('begin'),
    ageMs: z.number().check(z.minimum(0), z.maximum(60_000)),
  }),
  z.object({ type: z.literal('ping') }),
]);
export type SpeechToServer = z.infer<typeof speechToServer>;

/** The page's first file may begin. The server sends nothing else. */
export const speechReady = 'ready';
