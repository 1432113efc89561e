/**
 * Edits of calls that the server has not acknowledged, in the browser's storage, so that a reload or
 * a crash loses none. One record for each call; what was entered before the call existed is under
 * its room.
 */
export interface UnsavedEdits {
  /** A Yjs update (version 1), base64. */
  notes?: string;
  checks?: Record<string, boolean>;
}

/** `call:<id>` or `room:<id>`. */
export type EditsPlace = `${'call' | 'room'}:${string}`;

export class UnsavedEditsStore {
  readonly #storage: Storage;
  readonly #prefix: string;

  /** Each account has its own: a computer may be shared. */
  constructor(storage: Storage, accountId: string) {
    this.#storage = storage;
    this.#prefix = `rapport:unsaved:${accountId}:`;
  }

  read(place: EditsPlace): UnsavedEdits {
    const text = this.#storage.getItem(this.#prefix + place);
    if (text === null) return {};
    const edits: UnsavedEdits = JSON.parse(text);
    return edits;
  }

  /** Replaces one part of a record; an undefined part is taken out. */
  keep(place: EditsPlace, part: keyof UnsavedEdits, value: UnsavedEdits[typeof part]): void {
    const { [part]: _old, ...others } = this.read(place);
    const edits = value === undefined ? others : { ...others, [part]: value };
    try {
      if (Object.keys(edits).length === 0) this.#storage.removeItem(this.#prefix + place);
      else this.#storage.setItem(this.#prefix + place, JSON.stringify(edits));
    } catch (error) {
      // The storage is full or refused: the page itself still has the edits and sends them.
      console.error('Unsaved edits could not be kept in this browser', error);
    }
  }

  remove(place: EditsPlace): void {
    this.#storage.removeItem(this.#prefix + place);
  }

  /** Ids of the calls that have unsaved edits. */
  callIds(): string[] {
    const prefix = `${this.#prefix}call:`;
    return Array.from({ length: this.#storage.length }, (_, at) => this.#storage.key(at) ?? '')
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  }
}
