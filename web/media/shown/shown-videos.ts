/** How many elements of this page show each stream. */
const shown = new Map<MediaStream, number>();
const listeners = new Set<() => void>();

/** Counts one more element that shows the stream, or one fewer. */
export function countShown(stream: MediaStream, change: 1 | -1): void {
  const count = (shown.get(stream) ?? 0) + change;
  if (count > 0) shown.set(stream, count);
  else shown.delete(stream);
  for (const listener of listeners) listener();
}

/** How many windows that float over others show each stream, also while this page is hidden. */
const floating = new Map<MediaStream, number>();

export function countFloating(stream: MediaStream, change: 1 | -1): void {
  const count = (floating.get(stream) ?? 0) + change;
  if (count > 0) floating.set(stream, count);
  else floating.delete(stream);
  countShown(stream, change);
}

export const isFloating = (stream: MediaStream | null): boolean =>
  stream !== null && floating.has(stream);

export const isShown = (stream: MediaStream | null): boolean =>
  stream !== null && shown.has(stream);

export function onShown(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
