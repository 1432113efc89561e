import type { CallId } from '#domain/ids.ts';
import type { Refusal } from './notes-document.ts';

/** `room`: bytes that may still be added to storage. `most`: bytes that may be stored in all. */
interface Change {
  call: CallId;
  room: number;
  most: number;
}

/** Tasks of the notes' threads on the document of a call. */
export type NotesTask =
  /** Replaces the document if `fresh`, or adds to it. */
  | { kind: 'load'; call: CallId; fresh: boolean; stored: Uint8Array[] }
  | ({ kind: 'merge'; update: Uint8Array } & Change)
  | ({ kind: 'replace'; text: string } & Change)
  /** Reads the updates that a page is missing, by its state vector, or all. */
  | { kind: 'read'; call: CallId; vector: Uint8Array | undefined };

export interface NotesChange {
  added: Uint8Array;
  text: string;
  /** All content as one update, where `added` does not fit into the remaining storage. */
  state: Uint8Array | null;
}

export type NotesAnswer =
  | { kind: 'loaded' }
  | { kind: 'changed'; change: NotesChange | null }
  | { kind: 'read'; update: Uint8Array; vector: Uint8Array }
  /** The document is not in memory and must be loaded first. */
  | { kind: 'absent' }
  | { kind: 'refused'; refusal: Refusal };
