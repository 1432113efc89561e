import type { CallId } from '#domain/ids.ts';
import type { Refusal } from './notes-document.ts';

/** `room`: bytes that may still be stored beside what is. `most`: bytes that may be stored in all. */
interface Change {
  call: CallId;
  room: number;
  most: number;
}

/** What the notes' threads are asked to do with the document of a call. */
export type NotesTask =
  /** Takes the place of the document, where `fresh`, or adds to it. */
  | { kind: 'load'; call: CallId; fresh: boolean; stored: Uint8Array[] }
  | ({ kind: 'merge'; update: Uint8Array } & Change)
  | ({ kind: 'replace'; text: string } & Change)
  /** What a page lacks, by its state vector, or everything. */
  | { kind: 'read'; call: CallId; vector: Uint8Array | undefined };

export interface NotesChange {
  added: Uint8Array;
  text: string;
  /** Everything as one update, where `added` does not fit beside what is stored. */
  state: Uint8Array | null;
}

export type NotesAnswer =
  | { kind: 'loaded' }
  | { kind: 'changed'; change: NotesChange | null }
  | { kind: 'read'; update: Uint8Array; vector: Uint8Array }
  /** The document is not in memory: load it first. */
  | { kind: 'absent' }
  | { kind: 'refused'; refusal: Refusal };
