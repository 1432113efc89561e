import { smallPicture } from './formats.ts';

/** The first picture of a camera is often dark. */
const againMs = 10_000;
/** A hidden page may get no picture. */
const patienceMs = 5_000;

/** Draws a picture of a track now and ten seconds later. @returns a function that ends it */
export function takePosters(
  track: MediaStreamTrack,
  take: (poster: Blob) => void,
  draw: (track: MediaStreamTrack) => Promise<Blob | null> = drawPoster,
): () => void {
  let isOver = false;
  const again = async () => {
    const poster = await draw(track).catch(() => null);
    if (poster && !isOver) take(poster);
  };
  void again();
  const timer = setTimeout(() => void again(), againMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function drawPoster(track: MediaStreamTrack): Promise<Blob | null> {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = new MediaStream([track]);
  try {
    const hasPicture = await pictureOf(video);
    const { videoWidth: width, videoHeight: height } = video;
    if (!hasPicture || width === 0) return null;
    const canvas = document.createElement('canvas');
    canvas.height = Math.min(height, smallPicture.height);
    canvas.width = Math.round((canvas.height * width) / height);
    canvas.getContext('2d', { alpha: false })?.drawImage(video, 0, 0, canvas.width, canvas.height);
    const { promise, resolve } = Promise.withResolvers<Blob | null>();
    canvas.toBlob(resolve, 'image/jpeg', 0.8);
    return await promise;
  } finally {
    video.srcObject = null;
  }
}

function pictureOf(video: HTMLVideoElement): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  video.addEventListener('loadeddata', () => resolve(true), { once: true });
  setTimeout(() => resolve(false), patienceMs);
  video.play().catch(() => resolve(false));
  return promise;
}
