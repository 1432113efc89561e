import * as Y from 'yjs';
import type { ToServer } from '#domain/calls/live.ts';
import { longestNotesUpdate } from '#domain/calls/notes-limits.ts';
import { fromBase64, toBase64 } from '#web/calls/base64.ts';
import { piecesSince } from '#web/calls/notes-pieces.ts';
import type { Delta, Splice } from '#web/calls/text-difference.ts';
import { WritableStore } from '#web/live/store.ts';
import { serverNow } from '#web/platform/clock.ts';

/** The name of the shared text in the document, the same as on the server. */
const textName = 'notes';
export const batchMs = 150;

export interface NotesState {
  /** An edit made here has not been acknowledged yet. */
  unsaved: boolean;
  /** When the last edit of this page was acknowledged, in milliseconds since 1970. */
  savedAt: number | null;
  /** Why the server refused the last edit; a further edit tries again. */
  refused: string | null;
  /** The server's notes are in the document. */
  synced: boolean;
}

export interface NotesOptions {
  /** Returns false if the message was not sent. */
  send: (message: ToServer) => boolean;
  newId: () => string;
  /** Stores the unsaved update beyond this page; null removes it. */
  keep: (update: string | null) => void;
}

/**
 * The notes of one call as a shared text. Edits made here are sent in small batches and count as
 * unsaved until the server has acknowledged them. Merging an update twice changes nothing, so an
 * update that may be lost is sent again.
 */
export class NotesDoc extends WritableStore<NotesState> {
  readonly #doc = new Y.Doc();
  readonly #text = this.#doc.getText(textName);
  readonly #options: NotesOptions;
  /** Updates of the batch that is being collected. */
  #batch: Uint8Array[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ids of the batches that are not acknowledged yet. */
  #awaited = new Set<string>();
  /**
   * The socket was lost, or a batch refused: the next exchange of state carries everything that is
   * missing.
   */
  #inDoubt = false;
  #online = false;
  /** The state that the server is known to have. */
  #storedVector: Uint8Array | undefined;
  #edits = 0;
  #held: string[] | null = null;

  constructor(options: NotesOptions) {
    super({ unsaved: false, savedAt: null, refused: null, synced: false });
    this.#options = options;
    this.#doc.on(
      'update',
      (update: Uint8Array, _origin: unknown, _doc: Y.Doc, tx: Y.Transaction) => {
        if (tx.local) this.#collect(update);
      },
    );
  }

  get text(): string {
    return this.#text.toString();
  }

  /** The number of edits made here, so that a slow save can tell whether it carried the last one. */
  get edits(): number {
    return this.#edits;
  }

  edit({ start, removed, inserted }: Splice): void {
    if (removed === 0 && inserted === '') return;
    this.#doc.transact(() => {
      if (removed > 0) this.#text.delete(start, removed);
      if (inserted) this.#text.insert(start, inserted);
    });
  }

  /** Calls the listener with changes of others. Returns a function that stops it. */
  onRemoteChange(hear: (delta: Delta) => void): () => void {
    const listener = ({ delta }: Y.YTextEvent, { local }: Y.Transaction) => {
      if (!local) hear(delta);
    };
    this.#text.observe(listener);
    return () => this.#text.unobserve(listener);
  }

  /** Others' changes wait during a composition: changing the field would break it. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const update of held) this.#merge(update);
  }

  /** Adds what an earlier page stored, to be sent with the next exchange of state. */
  restore(update: string): void {
    this.#inDoubt = true;
    this.#merge(update);
    this.#changed();
  }

  /**
   * The socket to the running call is open: requests what is missing here, and the answer shows
   * what the server lacks.
   */
  connected(): void {
    this.#online = false;
    this.#doubtWhatIsOut();
    this.#options.send({
      type: 'notes-since',
      vector: toBase64(Y.encodeStateVector(this.#doc)),
    });
  }

  disconnected(): void {
    this.#online = false;
    this.#doubtWhatIsOut();
    this.#changed();
  }

  receive({ update, vector }: { update: string; vector?: string | undefined }): void {
    if (this.#held) this.#held.push(update);
    else this.#merge(update);
    if (vector === undefined) return;
    this.#online = true;
    this.#storedVector = fromBase64(vector);
    if (this.#inDoubt || this.#batch.length > 0) this.#sendMissing();
    this.update({ synced: true });
    this.#changed();
  }

  saved(id: string, savedAt: string): void {
    if (!this.#awaited.delete(id)) return;
    if (this.#awaited.size === 0 && !this.#inDoubt && this.#batch.length === 0)
      this.#storedVector = Y.encodeStateVector(this.#doc);
    this.update({ savedAt: Date.parse(savedAt), refused: null });
    this.#changed();
  }

  /** Returns whether the refusal was about the notes. */
  refused(id: string, message: string): boolean {
    if (!this.#awaited.delete(id)) return false;
    this.#inDoubt = true;
    this.update({ refused: message });
    this.#changed();
    return true;
  }

  /** Returns the updates that the server lacks, for requests beside the socket, in order. */
  missing(): string[] {
    return piecesSince(this.#doc, this.#storedVector).map(toBase64);
  }

  /** A request has carried everything up to edit number `edits`. */
  savedOtherwise(edits: number): void {
    if (edits !== this.#edits) return;
    clearTimeout(this.#timer);
    this.#batch = [];
    this.#awaited.clear();
    this.#inDoubt = false;
    this.update({ savedAt: serverNow(), refused: null });
    this.#changed();
  }

  /** A request beside the socket was refused for good; a further edit tries again. */
  refusedOtherwise(message: string): void {
    this.update({ refused: message });
  }

  /** Sends the batch without waiting for more. */
  flush(): void {
    clearTimeout(this.#timer);
    if (this.#batch.length === 0) return;
    if (this.#inDoubt || !this.#online) this.#doubtWhatIsOut();
    if (this.#online && this.#inDoubt) this.#sendMissing();
    else if (this.#online) this.#sendBatch();
    this.#changed();
  }

  #collect(update: Uint8Array): void {
    this.#edits += 1;
    if (this.#batch.length === 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.flush(), batchMs);
    }
    this.#batch.push(update);
    this.update({ unsaved: true });
  }

  #sendBatch(): void {
    const update = Y.mergeUpdates(this.#batch.splice(0));
    if (update.length <= longestNotesUpdate) this.#sendNote(update);
    else this.#sendMissing();
  }

  #sendMissing(): void {
    this.#batch = [];
    this.#awaited.clear();
    this.#inDoubt = false;
    for (const piece of piecesSince(this.#doc, this.#storedVector)) this.#sendNote(piece);
  }

  #sendNote(update: Uint8Array): void {
    const id = this.#options.newId();
    this.#awaited.add(id);
    const sent = this.#options.send({ type: 'note', id, update: toBase64(update) });
    if (!sent) this.disconnected();
  }

  #doubtWhatIsOut(): void {
    if (this.#batch.length > 0 || this.#awaited.size > 0) this.#inDoubt = true;
    this.#batch = [];
    this.#awaited.clear();
  }

  #merge(update: string): void {
    Y.applyUpdate(this.#doc, fromBase64(update), 'remote');
  }

  #changed(): void {
    const unsaved = this.#inDoubt || this.#batch.length > 0 || this.#awaited.size > 0;
    if (unsaved !== this.getSnapshot().unsaved) this.update({ unsaved });
    this.#options.keep(unsaved ? toBase64(Y.encodeStateAsUpdate(this.#doc)) : null);
  }
}
