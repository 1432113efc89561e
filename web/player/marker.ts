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
