import type { CaptureKind } from '#domain/consent/capture.ts';
import type { SpeechCapture } from '#web/media/speech/speech-capture.ts';
import type { SpeechState } from '#web/media/speech/speech-state.ts';

/** What a capture besides the recording uses of the meeting. */
export interface CaptureOptions {
  microphone: () => MediaStreamTrack | null;
  token: string;
  callId: string;
  onState: (state: SpeechState) => void;
}

type OpenCapture = (options: CaptureOptions) => SpeechCapture;

/** The captures besides the recording, each loaded when its participant is captured. */
export const otherCaptures: { [Kind in CaptureKind]?: () => Promise<OpenCapture> } = {
  transcript: () =>
    import('#web/media/speech/speech-capture.ts').then(
      ({ openSpeechCapture }) => openSpeechCapture,
    ),
};
