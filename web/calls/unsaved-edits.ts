import { z } from 'zod';
import { StoredValue } from '#web/storage/stored-value.ts';

/**
 * Edits of calls that the server has not acknowledged, in the browser's storage, so that a reload
 * or a crash loses none. One record for each call; edits made before the call existed are stored
 * under its room.
 */
const unsavedEdits = z.object({
  /** A Yjs update (version 1), base64. */
  notes: z.string().optional(),
  checks: z.record(z.string(), z.boolean()).optional(),
});
export type UnsavedEdits = z.infer<typeof unsavedEdits>;

/** `call:<id>` or `room:<id>`. */
export type EditsPlace = `${'call' | 'room'}:${string}`;

export class UnsavedEditsStore {
  readonly #storage: Storage;
  readonly #prefix: string;

  /** Each account has its own prefix: a computer may be shared. */
  constructor(storage: Storage, accountId: string) {
    this.#storage = storage;
    this.#prefix = `rapport:unsaved:${accountId}:`;
  }

  read(place: EditsPlace): UnsavedEdits {
    return this.#at(place).read() ?? {};
  }

  /** Replaces one part of a record; undefined removes the part. */
  keep(place: EditsPlace, part: keyof UnsavedEdits, value: UnsavedEdits[typeof part]): void {
    const { [part]: _old, ...others } = this.read(place);
    const edits = value === undefined ? others : { ...others, [part]: value };
    if (Object.keys(edits).length === 0) this.remove(place);
    // The page itself still has the edits, and sends them.
    else if (!this.#at(place).write(edits))
      console.error('Unsaved edits could not be kept in this browser');
  }

  remove(place: EditsPlace): void {
    this.#at(place).remove();
  }

  /** Ids of the calls that have unsaved edits. */
  callIds(): string[] {
    const prefix = `${this.#prefix}call:`;
    return Array.from({ length: this.#storage.length }, (_, at) => this.#storage.key(at) ?? '')
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  }

  #at(place: EditsPlace): StoredValue<UnsavedEdits> {
    return new StoredValue(this.#storage, this.#prefix + place, unsavedEdits);
  }
}
