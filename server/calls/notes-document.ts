import * as Y from 'yjs';
import { longestNotes } from '#domain/calls/notes-limits.ts';

/** The name of the shared text within the document. The browser uses the same. */
const textName = 'notes';
/** Runs of text that a document may consist of. Loading this many takes about a fifth of a second. */
const mostRuns = 100_000;
/** Bytes of edits that wait for a missing edit on which they build. */
const mostPending = 64 * 1024;

/** Reasons for refusing a change of the notes. notes-refusals.ts has a message for each. */
export const refusals = [
  'bad_note',
  'notes_too_long',
  'notes_too_large',
  'notes_too_complex',
  'nul_character',
] as const;
export type Refusal = (typeof refusals)[number];

export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

/** Adds stored updates to the document. They were checked when they were received. */
export function addStored(doc: Y.Doc, updates: Uint8Array[]): void {
  for (const update of updates) Y.applyUpdate(doc, update);
}

/**
 * Merges an update (version 1) of a page. The document is unusable if this throws.
 * @returns its new parts, or null
 * @throws Refused
 */
export function merge(doc: Y.Doc, update: Uint8Array): Uint8Array | null {
  refuseForeign(update);
  return changesOf(doc, (changes) => {
    try {
      Y.applyUpdate(doc, update);
    } catch {
      throw new Refused('bad_note');
    }
    const { pendingStructs, pendingDs } = doc.store;
    // An edit that builds on a missing one waits for it, and must be stored in that state.
    if (pendingStructs || pendingDs) changes.push(update);
    const pending = (pendingStructs?.update.length ?? 0) + (pendingDs?.length ?? 0);
    if (pending > mostPending) throw new Refused('bad_note');
  });
}

/** Replaces the notes by a whole text, as a single difference. */
export function replace(doc: Y.Doc, text: string): Uint8Array | null {
  return changesOf(doc, () => {
    const notes = doc.getText(textName);
    // A lone surrogate cannot be stored, and the document would then differ from the stored text.
    const { start, removed, inserted } = difference(notes.toString(), text.toWellFormed());
    doc.transact(() => {
      if (removed > 0) notes.delete(start, removed);
      if (inserted) notes.insert(start, inserted);
    });
  });
}

export const textOf = (doc: Y.Doc): string => doc.getText(textName).toString();

/** Returns the number of runs of text, including deleted ones and placeholders for missing ones. */
export function runsOf(doc: Y.Doc): number {
  let runs = 0;
  for (const structs of doc.store.clients.values()) runs += structs.length;
  return runs;
}

function changesOf(doc: Y.Doc, change: (changes: Uint8Array[]) => void): Uint8Array | null {
  const changes: Uint8Array[] = [];
  const keep = (update: Uint8Array) => changes.push(update);
  doc.on('update', keep);
  try {
    change(changes);
  } finally {
    doc.off('update', keep);
  }
  if (changes.length === 0) return null;
  if (runsOf(doc) > mostRuns) throw new Refused('notes_too_complex');
  const text = textOf(doc);
  if (text.length > longestNotes) throw new Refused('notes_too_long');
  if (text.includes('\0')) throw new Refused('nul_character');
  return Y.mergeUpdates(changes);
}

/**
 * Pages only insert and delete plain text in one place. Any other content would be stored but never
 * shown.
 */
function refuseForeign(update: Uint8Array): void {
  const { structs } = decoded(update);
  if (structs.length > mostRuns) throw new Refused('notes_too_complex');
  if (!structs.every(isPlainText)) throw new Refused('bad_note');
}

function decoded(update: Uint8Array) {
  try {
    return Y.decodeUpdate(update);
  } catch {
    throw new Refused('bad_note');
  }
}

function isPlainText(struct: Y.Item | Y.GC | Y.Skip): boolean {
  if (struct instanceof Y.Skip) return true;
  if (!(struct instanceof Y.Item) || struct.parentSub !== null) return false;
  const { content, parent } = struct;
  // Without its own parent it belongs to its neighbor's.
  const isOurs = parent === null || String(parent) === textName;
  return isOurs && (content instanceof Y.ContentString || content instanceof Y.ContentDeleted);
}

/**
 * Returns the single range in which two texts differ, in UTF-16 units. It never splits a surrogate
 * pair, since Yjs would keep neither half.
 */
export function difference(from: string, to: string) {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  if (start > 0 && isHighSurrogate(from.charCodeAt(start - 1))) start -= 1;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  if (end > 0 && isLowSurrogate(from.charCodeAt(from.length - end))) end -= 1;
  return {
    start,
    removed: from.length - start - end,
    inserted: to.slice(start, to.length - end),
  };
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
