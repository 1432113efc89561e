import { type RefObject, useLayoutEffect, useRef } from 'react';
import { countShown } from '#web/media/shown/shown-videos.ts';
import { placeVideo } from '#web/media/shown/video-places.ts';
import { videoElementOf } from '../early/first-video.ts';

type VideoProps = {
  stream: MediaStream;
  mirrored?: boolean;
  label?: string;
};

const longestGapMs = 1_000;

/** The video of a stream, which may have been playing before it had a place in the page. */
export function Video({ stream, mirrored = false, label = '' }: VideoProps) {
  const place = useRef<HTMLSpanElement>(null);
  const leaving = useRef<HTMLVideoElement>(null);

  useLayoutEffect(() => {
    const picture = videoElementOf(stream);
    place.current?.append(picture);
    const stopPausing = pauseUnseen(picture, stream);
    const stopWaiting = whenSeen(picture, () => drop(leaving));
    return () => {
      stopWaiting();
      stopPausing();
      drop(leaving);
      leaving.current = picture;
    };
  }, [stream]);

  useLayoutEffect(() => () => drop(leaving), []);

  useLayoutEffect(() => {
    for (const picture of place.current?.querySelectorAll('video') ?? []) {
      picture.toggleAttribute('data-mirrored', mirrored);
      picture.setAttribute('aria-label', label);
    }
  });

  return <span ref={place} className="picture-place" />;
}

/** The previous video stays below the new one until that has a frame: a replaced connection leaves no gap. */
function whenSeen(picture: HTMLVideoElement, seen: () => void): () => void {
  const timer = setTimeout(seen, longestGapMs);
  const frame =
    'requestVideoFrameCallback' in picture ? picture.requestVideoFrameCallback(seen) : null;
  picture.addEventListener('playing', seen, { once: true });
  return () => {
    clearTimeout(timer);
    if (frame !== null) picture.cancelVideoFrameCallback(frame);
    picture.removeEventListener('playing', seen);
  };
}

function drop(leaving: RefObject<HTMLVideoElement | null>): void {
  const picture = leaving.current;
  if (picture === null) return;
  leaving.current = null;
  picture.srcObject = null;
  picture.remove();
}

/** In picture-in-picture. */
const isFloating = (picture: HTMLVideoElement) => document.pictureInPictureElement === picture;

/** A video that is scrolled away or not in the layout is not drawn. */
function pauseUnseen(picture: HTMLVideoElement, stream: MediaStream): () => void {
  const place = placeVideo(stream, picture);
  let counted = false;
  const count = (isSeen: boolean) => {
    if (isSeen !== counted) countShown(stream, isSeen ? 1 : -1);
    counted = isSeen;
  };
  const observer = new IntersectionObserver((entries) => {
    const isSeen = entries.at(-1)?.isIntersecting === true || isFloating(picture);
    const shown = isSeen ? stream : null;
    if (picture.srcObject !== shown) picture.srcObject = shown;
    count(isSeen);
    place.setVisible(isSeen);
  });
  observer.observe(picture);
  return () => {
    observer.disconnect();
    count(false);
    place.end();
  };
}
