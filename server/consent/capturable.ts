import { type CaptureKind, capturableKinds } from '#domain/consent/capture.ts';
import type { Services } from '#server/services.ts';

/** Returns what can be captured of calls: nothing where their page is not ours, which asks and records. */
export const capturable = ({
  speech,
  video,
}: Pick<Services, 'speech' | 'video'>): readonly CaptureKind[] =>
  video.joins === 'page' ? capturableKinds(speech.current() !== null) : [];
