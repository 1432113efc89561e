/** How a call can lie over all other windows here. */
export type FloatWay = { kind: 'window'; opener: DocumentPictureInPicture } | { kind: 'picture' };

/**
 * A window of its own with everything in it where there is one: only the outermost page has it, and
 * a frame of the same origin may ask that one. Else the browser's own window over one picture.
 */
export function floatWay(): FloatWay | null {
  const opener = outermost()?.documentPictureInPicture;
  if (opener) return { kind: 'window', opener };
  return document.pictureInPictureEnabled ? { kind: 'picture' } : null;
}

/** Null in a frame of another's page, which throws here. */
function outermost(): Window | null {
  try {
    return window.top?.document ? window.top : null;
  } catch {
    return null;
  }
}
