import * as z from 'zod/mini';

/**
 * The protocol of `/ws/speech`: one page sends the sound of its own microphone. The page sends `hello`, waits
 * for `ready`, and announces each file with `begin`. Then follow the slices of the file, as binary messages.
 * Without a speech service the server answers `recognize` instead, if the organization allows it: the page has its
 * browser recognize the speech on the device, and sends a `phrase` for each pause.
 * The server closes with `notCaptured` when the participant may no longer be captured.
 */
export const speechProtocol = 1;

/** The file that a page records: WebM with Opus. */
export const speechMimeType = 'audio/webm;codecs=opus';
export const speechBitsPerSecond = 24_000;
/**
 * A caption waits for the slice of its last sound. Chromium encodes 60 ms at a time, so that these are 120 ms: with
 * slices of 250 ms captions came a quarter of a second later.
 */
export const speechSliceMs = 100;
/** Bytes of one slice: many times what it takes. */
export const longestSpeechSlice = 32 * 1024;
/** A page that sends nothing for so long is gone: a recorder sends slices of silence, too. */
export const speechSilenceSeconds = 30;

/** Characters (UTF-16 units) of a phrase that a browser has recognized. */
export const longestBrowserPhrase = 1000;
export const longestBrowserPhraseMs = 20_000;

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
  /** What the participant has just said, as their browser has recognized it, in so many milliseconds. */
  z.object({
    type: z.literal('phrase'),
    text: z.string().check(z.trim(), z.minLength(1), z.maxLength(longestBrowserPhrase)),
    durationMs: z.number().check(z.minimum(0), z.maximum(longestBrowserPhraseMs)),
    /** BCP 47. */
    language: z.string().check(z.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/)),
  }),
  z.object({ type: z.literal('ping') }),
]);
export type SpeechToServer = z.infer<typeof speechToServer>;

/** The page's first file may begin. */
export const speechReady = 'ready';
/** The page sends phrases. The server sends nothing but these two. */
export const speechRecognize = 'recognize';
