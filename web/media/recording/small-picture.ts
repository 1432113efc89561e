import { smallPicture } from './formats.ts';

/**
 * Returns a smaller copy of a picture, for an encoder that costs much. A browser draws it less often while its tab
 * is hidden.
 */
export function smallerPicture(track: MediaStreamTrack): {
  track: MediaStreamTrack;
  stop: () => void;
} {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = new MediaStream([track]);
  const { width = 16, height = 9 } = track.getSettings();
  const canvas = document.createElement('canvas');
  canvas.height = smallPicture.height;
  canvas.width = Math.round((smallPicture.height * width) / height / 2) * 2;
  const context = canvas.getContext('2d', { alpha: false });
  const [copy] = canvas.captureStream(smallPicture.frameRate).getVideoTracks();
  if (!context || !copy) return { track, stop: () => {} };
  video.play().catch(() => {
    // Drawn as soon as there is a picture.
  });
  const timer = setInterval(
    () => context.drawImage(video, 0, 0, canvas.width, canvas.height),
    1000 / smallPicture.frameRate,
  );
  const stop = () => {
    clearInterval(timer);
    copy.stop();
    video.srcObject = null;
  };
  return { track: copy, stop };
}
