/** A muted video element, whose autoplay no browser blocks. Hidden until its first frame. */
export function makeVideoElement(stream: MediaStream, where = document): HTMLVideoElement {
  const picture = where.createElement('video');
  picture.className = 'picture';
  picture.autoplay = true;
  picture.playsInline = true;
  picture.muted = true;
  picture.srcObject = stream;
  const seen = () => {
    picture.dataset.shown = 'true';
  };
  picture.addEventListener('playing', seen, { once: true });
  if ('requestVideoFrameCallback' in picture) picture.requestVideoFrameCallback(seen);
  return picture;
}
