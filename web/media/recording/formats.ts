/** How much of the picture is recorded: less where the machine has too little for the call. */
export const details = ['full', 'small', 'sound'] as const;
export type Detail = (typeof details)[number];

/** How a stream is recorded. `largestHeight` and `mostFramesPerSecond` limit what is recorded of the picture. */
export interface RecordingFormat {
  mimeType: string;
  hasVideo: boolean;
  small: boolean;
}

/**
 * Best first. H.264 in WebM costs a tenth of a core and is readable up to its last part; an MP4 of Safari is
 * readable, too. VP8 competes with the call for the processor, so it is small.
 */
const withVideo: readonly (readonly [string, boolean])[] = [
  ['video/webm;codecs=h264,opus', false],
  ['video/webm;codecs=avc1,opus', false],
  ['video/mp4;codecs=avc1.42E01E,mp4a.40.2', false],
  ['video/webm;codecs=vp8,opus', true],
];
const soundOnly = ['audio/webm;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4'];

/** The size of the picture where it is small. */
export const smallPicture = { height: 360, frameRate: 15 };

/**
 * Returns the best format that this browser records; without a video format, sound only.
 * @returns null if it records nothing
 */
export function chooseFormat(
  hasVideo: boolean,
  isSupported: (mimeType: string) => boolean,
  detail: Detail = 'full',
): RecordingFormat | null {
  const isSeen = hasVideo && detail !== 'sound';
  const [video, small = false] = (isSeen && withVideo.find(([type]) => isSupported(type))) || [];
  if (video !== undefined)
    return { mimeType: video, hasVideo: true, small: small || detail === 'small' };
  const sound = soundOnly.find(isSupported);
  return sound === undefined ? null : { mimeType: sound, hasVideo: false, small: false };
}

/** Returns the next detail that takes less of the machine than this one; null if there is none. */
export function lessDetail(
  detail: Detail,
  isSupported: (mimeType: string) => boolean,
): Detail | null {
  const format = chooseFormat(true, isSupported, detail);
  return (
    details
      .slice(details.indexOf(detail) + 1)
      .find(
        (less) =>
          chooseFormat(true, isSupported, less)?.small !== format?.small || less === 'sound',
      ) ?? null
  );
}
