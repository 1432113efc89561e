import type { CaptureKind } from '#domain/consent/capture.ts';

/** What a capture besides the recording uses of the meeting. */
export interface CaptureOptions {
  microphone: () => MediaStreamTrack | null;
  token: string;
  callId: string;
}

type OpenCapture = (options: CaptureOptions) => { stop(): Promise<void> };

/** The captures besides the recording, each loaded when its participant is captured. */
export const otherCaptures: { [Kind in CaptureKind]?: () => Promise<OpenCapture> } = {
  transcript: () =>
    import('#web/media/speech/speech-capture.ts').then(
      ({ openSpeechCapture }) => openSpeechCapture,
    ),
};
