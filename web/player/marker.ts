export const markerKinds = ['item', 'note', 'tick', 'message', 'mood'] as const;
export type MarkerKind = (typeof markerKinds)[number];

/** Something that happened at a second of the call. */
export interface Marker {
  id: string;
  kind: MarkerKind;
  atMs: number;
  /** What happened, in the words of the call. */
  text: string;
}

/** Markers closer than this share of the call are one on the timeline. */
const nearShare = 0.02;

/** Returns the markers, which are in order, in groups that do not cover each other on the timeline. */
export function markerGroups(markers: readonly Marker[], durationMs: number): Marker[][] {
  const groups: Marker[][] = [];
  for (const marker of markers) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group && first && marker.atMs - first.atMs < nearShare * durationMs) group.push(marker);
    else groups.push([marker]);
  }
  return groups;
}
