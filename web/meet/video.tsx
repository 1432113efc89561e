import { useLayoutEffect, useRef } from 'react';
import { pictureOf } from './first-picture.ts';

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

/** A picture scrolled away, or of which the layout shows nothing, is not drawn. */
function pauseUnseen(picture: HTMLVideoElement, stream: MediaStream): () => void {
  const observer = new IntersectionObserver((entries) => {
    const shown = entries.at(-1)?.isIntersecting === true ? stream : null;
    if (picture.srcObject !== shown) picture.srcObject = shown;
  });
  observer.observe(picture);
  return () => observer.disconnect();
}
