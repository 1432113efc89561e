import * as z from 'zod/mini';

/** What may be captured of a call. Each needs the consent of the participant. */
export const captureKinds = ['recording', 'transcript', 'analysis'] as const;
export const captureKind = z.enum(captureKinds);
export type CaptureKind = z.infer<typeof captureKind>;

/**
 * Returns the kinds that can be captured. Where no speech becomes text there is no transcript, and so nothing of
 * participants to analyze.
 * @param hasText whether a speech service is set up, or participants' own browsers may recognize their speech
 */
export const capturableKinds = (hasText: boolean): readonly CaptureKind[] =>
  hasText ? captureKinds : ['recording'];

/** `ask`: staff may start it during the call. `start`: it starts when the call does. Consent is asked in both. */
export const captureModes = ['off', 'ask', 'start'] as const;
export const captureMode = z.enum(captureModes);
export type CaptureMode = z.infer<typeof captureMode>;
