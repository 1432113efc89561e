import type * as Y from 'yjs';
import type { CallId } from '#domain/ids.ts';
import { runsOf } from './notes-document.ts';

export interface MemoryBounds {
  documents: number;
  /** Runs of text of all documents together. */
  runs: number;
}

/** Documents that are kept for the next edit. The oldest are dropped, and loaded again when needed. */
export class NotesMemory {
  readonly #bounds: MemoryBounds;
  readonly #kept = new Map<CallId, { doc: Y.Doc; runs: number }>();

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  get(call: CallId): Y.Doc | undefined {
    return this.#kept.get(call)?.doc;
  }

  delete(call: CallId): void {
    this.#kept.delete(call);
  }

  keep(call: CallId, doc: Y.Doc): void {
    this.#kept.delete(call);
    this.#kept.set(call, { doc, runs: runsOf(doc) });
    let runs = 0;
    for (const each of this.#kept.values()) runs += each.runs;
    for (const [oldest, { runs: fewer }] of this.#kept) {
      if (this.#kept.size <= this.#bounds.documents && runs <= this.#bounds.runs) return;
      if (oldest === call) return;
      this.#kept.delete(oldest);
      runs -= fewer;
    }
  }
}
