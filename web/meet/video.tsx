import { useLayoutEffect, useRef } from 'react';
import { pictureOf } from './first-picture.ts';
import { placePicture } from './picture-places.ts';
import { countShown } from './shown-pictures.ts';

type VideoProps = {
  stream: MediaStream;
  mirrored?: boolean;
  label?: string;
};

/** The picture of a stream, which may have been playing before there was a place for it. */
export function Video({ stream, mirrored = false, label = '' }: VideoProps) {
  const place = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    const picture = pictureOf(stream);
    place.current?.append(picture);
    const stopPausing = pauseUnseen(picture, stream);
    return () => {
      stopPausing();
      picture.srcObject = null;
      picture.remove();
    };
  }, [stream]);

  useLayoutEffect(() => {
    const picture = place.current?.querySelector('video');
    if (!picture) return;
    picture.toggleAttribute('data-mirrored', mirrored);
    picture.setAttribute('aria-label', label);
  });

  return <span ref={place} className="picture-place" />;
}

/** In the browser's own window over all others. */
const isFloating = (picture: HTMLVideoElement) => document.pictureInPictureElement === picture;

/** A picture scrolled away, or of which the layout shows nothing, is not drawn. */
function pauseUnseen(picture: HTMLVideoElement, stream: MediaStream): () => void {
  const place = placePicture(stream, picture);
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
    place.tell(isSeen);
  });
  observer.observe(picture);
  return () => {
    observer.disconnect();
    count(false);
    place.end();
  };
}
