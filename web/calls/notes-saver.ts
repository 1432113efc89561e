import type { UpdateCallBody } from '#domain/calls/contract.ts';
import type { NotesDoc } from '#web/calls/notes-doc.ts';
import { isRefusedForGood } from '#web/platform/api.ts';

/** Spec section 9: notes are saved this long after the last edit. */
export const saveDelayMs = 1000;
export const retryDelayMs = 5000;
/** In characters; the server refuses a body of 2 MB. */
const largestBody = 1_800_000;

type NotesBody = Pick<UpdateCallBody, 'notesSnapshot' | 'notesUpdate'>;

/**
 * Saves the notes by request, one second after the last edit, whether or not a socket is open. The
 * text is sent with a mergeable update of what the server lacks, so that a save never reverts what
 * another person wrote in the same moment.
 */
export class NotesSaver {
  readonly #notes: NotesDoc;
  readonly #put: (body: NotesBody) => Promise<unknown>;
  #savedEdits = 0;
  #hadText = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;
  #seenEdits = 0;
  readonly #unsubscribe: () => void;

  constructor(notes: NotesDoc, put: (body: NotesBody) => Promise<unknown>) {
    this.#notes = notes;
    this.#put = put;
    this.#unsubscribe = notes.subscribe(() => this.#look());
    this.#look();
  }

  /** Saves what is still unsaved. */
  async finish(): Promise<void> {
    this.stop();
    this.#notes.flush();
    await this.#running;
    if (this.#notes.getSnapshot().unsaved) await this.#save();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
  }

  #look(): void {
    const { edits, text } = this.#notes;
    this.#hadText ||= text !== '';
    const isNew = edits > this.#seenEdits;
    // Edits that an earlier page stored are saved, too, if no socket sends them.
    const isLeft = edits === 0 && this.#notes.getSnapshot().unsaved && this.#timer === undefined;
    if (!isNew && !isLeft) return;
    this.#seenEdits = edits;
    this.#saveIn(saveDelayMs);
  }

  #saveIn(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), delayMs);
  }

  async #save(): Promise<void> {
    if (this.#running) await this.#running;
    this.#running = this.#saveOnce();
    await this.#running;
    this.#running = null;
  }

  async #saveOnce(): Promise<void> {
    const { edits, text } = this.#notes;
    // An empty text is saved only if there were notes (docs/product-decisions.md, Rooms and calls).
    if (text === '' && !this.#hadText) return;
    if (edits === this.#savedEdits && !this.#notes.getSnapshot().unsaved) return;
    const pieces = this.#notes.missing();
    try {
      for (const notesUpdate of pieces) {
        const whole = pieces.length === 1 && text.length + notesUpdate.length <= largestBody;
        await this.#put(whole ? { notesSnapshot: text, notesUpdate } : { notesUpdate });
      }
      this.#savedEdits = edits;
      this.#notes.savedOtherwise(edits);
    } catch (error) {
      if (!this.#notes.getSnapshot().unsaved) return;
      if (isRefusedForGood(error)) this.#notes.refusedOtherwise(error.message);
      else this.#saveIn(retryDelayMs);
    }
  }
}
