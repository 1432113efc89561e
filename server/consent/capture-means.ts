import { type CaptureKind, capturableKinds } from '#domain/consent/capture.ts';
import type { Services } from '#server/services.ts';
import type { RoomModes } from './capture-settings.ts';

/** What this server can capture with. */
export interface CaptureMeans {
  /** Other pages neither ask nor record. */
  isOwnPage: boolean;
  hasSpeechService: boolean;
}

export const captureMeans = ({
  speech,
  video,
}: Pick<Services, 'speech' | 'video'>): CaptureMeans => ({
  isOwnPage: video.joins === 'page',
  hasSpeechService: speech.current() !== null,
});

/** Returns the kinds that can be captured with these means and modes, whether or not they are on. */
export const kindsWith = (
  modes: RoomModes,
  { isOwnPage, hasSpeechService }: CaptureMeans,
): readonly CaptureKind[] =>
  isOwnPage ? capturableKinds(hasSpeechService || modes.browser !== undefined) : [];
