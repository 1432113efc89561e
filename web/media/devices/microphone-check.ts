/** Half a second of this participant's microphone, while it is on. */
export type MicrophoneWindow = {
  /** The largest sample, 0 to 1. */
  peak: number;
  /** Share of samples at the limit of the scale. */
  clippedShare: number;
  /** Others are in the meeting, and none of them is speaking. */
  awaited: boolean;
};
export type MicrophoneCheck = { silent: number; awaited: number; clipped: readonly boolean[] };
export type MicrophoneTrouble = 'silent' | 'clipped';

/** A working microphone is never this quiet, even with noise suppression. */
const stillness = 0.0002;
/** In half seconds: 15 s without any sound, during 5 of which the others were present and silent. */
const silentFor = 30;
const awaitedFor = 10;
/** Clips in half of the last six seconds. */
const clippedShare = 0.02;
const clippedOver = 12;
const clippedTimes = 6;

export const freshCheck: MicrophoneCheck = { silent: 0, awaited: 0, clipped: [] };

export function nextCheck(check: MicrophoneCheck, heard: MicrophoneWindow): MicrophoneCheck {
  const isSilent = heard.peak < stillness;
  return {
    silent: isSilent ? check.silent + 1 : 0,
    awaited: isSilent ? check.awaited + (heard.awaited ? 1 : 0) : 0,
    clipped: [...check.clipped, heard.clippedShare >= clippedShare].slice(-clippedOver),
  };
}

export function troubleIn({ silent, awaited, clipped }: MicrophoneCheck): MicrophoneTrouble | null {
  if (silent >= silentFor && awaited >= awaitedFor) return 'silent';
  return clipped.filter(Boolean).length >= clippedTimes ? 'clipped' : null;
}

export function windowOf(samples: Float32Array, awaited: boolean): MicrophoneWindow {
  let peak = 0;
  let clipped = 0;
  for (const sample of samples) {
    const size = Math.abs(sample);
    if (size > peak) peak = size;
    if (size >= 0.99) clipped += 1;
  }
  return { peak, clippedShare: clipped / samples.length, awaited };
}
