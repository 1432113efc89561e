/** The ways in which a call can float over all other windows. */
export type FloatWay = { kind: 'window'; opener: DocumentPictureInPicture } | { kind: 'picture' };

/**
 * Returns a window for the whole call where the browser has one: only the outermost page does, and
 * a frame of the same origin may request it there. Otherwise picture-in-picture for one video.
 */
export function floatWay(): FloatWay | null {
  const opener = outermost()?.documentPictureInPicture;
  if (opener) return { kind: 'window', opener };
  return document.pictureInPictureEnabled ? { kind: 'picture' } : null;
}

/** Null in a frame of another site's page, where the access throws. */
function outermost(): Window | null {
  try {
    return window.top?.document ? window.top : null;
  } catch {
    return null;
  }
}
