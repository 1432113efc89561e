import { type CaptureKind, capturableKinds } from '#domain/consent/capture.ts';
import type { RecordedHow } from '#domain/consent/question.ts';
import type { Services } from '#server/services.ts';
import type { RoomModes } from './capture-settings.ts';

/** What this server can capture with. */
export interface CaptureMeans {
  /** Other pages do not record, and are not heard. */
  isOwnPage: boolean;
  /** The provider of another page records everyone together. */
  isRecordedByProvider: boolean;
  hasSpeechService: boolean;
}

export const captureMeans = ({
  speech,
  video,
}: Pick<Services, 'speech' | 'video'>): CaptureMeans => ({
  isOwnPage: video.joins === 'page',
  isRecordedByProvider: video.page !== null && video.page.recorder !== null,
  hasSpeechService: speech.current() !== null,
});

/** Returns the kinds that can be captured with these means and modes, whether or not they are on. */
export const kindsWith = (
  modes: RoomModes,
  { isOwnPage, isRecordedByProvider, hasSpeechService }: CaptureMeans,
): readonly CaptureKind[] => {
  if (isOwnPage) return capturableKinds(hasSpeechService || modes.browser !== undefined);
  return isRecordedByProvider ? ['recording'] : [];
};

/** Returns how people are recorded, which the question to them says. */
export const recordedHow = ({ video }: Pick<Services, 'video'>): RecordedHow =>
  video.page === null ? 'alone' : 'together';
