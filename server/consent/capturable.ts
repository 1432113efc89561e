import { type CaptureKind, captureKinds } from '#domain/consent/capture.ts';
import type { Services } from '#server/services.ts';

/**
 * Returns the kinds that this server can capture. Without a speech service there is no transcript, and so nothing of
 * participants to analyze.
 */
export const capturableKinds = ({ speech }: Pick<Services, 'speech'>): readonly CaptureKind[] =>
  speech ? captureKinds : ['recording'];
