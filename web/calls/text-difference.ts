/** One range of a text, in UTF-16 units, and its replacement. */
export interface Splice {
  start: number;
  removed: number;
  inserted: string;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Returns the one range in which two texts differ. In a run of equal letters the change could be
 * anywhere, so it ends at `caret`, where the person has just typed. Characters outside the basic
 * plane are never split, since a shared text would keep neither half.
 */
export function textDifference(from: string, to: string, caret = to.length): Splice {
  const shorter = Math.min(from.length, to.length);
  let end = 0;
  const mostEnd = Math.min(shorter, to.length - caret);
  while (end < mostEnd && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  let start = 0;
  while (start < shorter - end && from[start] === to[start]) start += 1;
  // The caret was not at the change, as after an undo: the rest of the end is equal as well.
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  if (start > 0 && isHigh(from.charCodeAt(start - 1))) start -= 1;
  if (end > 0 && isLow(from.charCodeAt(from.length - end))) end -= 1;
  return {
    start,
    removed: from.length - start - end,
    inserted: to.slice(start, to.length - end),
  };
}

/** A change of a text as Yjs reports it. */
export type Delta = readonly {
  retain?: number | undefined;
  insert?: unknown;
  delete?: number | undefined;
}[];

/** Returns the caret after another person changed the text: beside the same letters as before. */
export function movedCaret(caret: number, delta: Delta): number {
  let at = 0;
  let moved = caret;
  for (const { retain = 0, insert = '', delete: deleted = 0 } of delta) {
    at += retain;
    const inserted = typeof insert === 'string' ? insert.length : 0;
    if (at < moved) moved += inserted - Math.min(deleted, moved - at);
    at += inserted;
  }
  return moved;
}
