import * as z from 'zod/mini';

/** What may be captured of a call. Each needs the consent of the participant. */
export const captureKinds = ['recording', 'transcript', 'analysis'] as const;
export const captureKind = z.enum(captureKinds);
export type CaptureKind = z.infer<typeof captureKind>;

/**
 * Returns the kinds that a server can capture. Without a speech service there is no transcript, and so nothing of
 * participants to analyze.
 */
export const capturableKinds = (hasSpeechService: boolean): readonly CaptureKind[] =>
  hasSpeechService ? captureKinds : ['recording'];

/** `ask`: staff may start it during the call. `start`: it starts when the call does. Consent is asked in both. */
export const captureModes = ['off', 'ask', 'start'] as const;
export const captureMode = z.enum(captureModes);
export type CaptureMode = z.infer<typeof captureMode>;
