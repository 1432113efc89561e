import type { RoomId } from '#domain/ids.ts';

/** Passes over rooms, those of a room one after the other: the one that runs, and the one that waits for it. */
export class RoomPasses {
  readonly #passes = new Map<RoomId, { running: Promise<void>; next: Promise<void> | null }>();

  /**
   * Runs a pass that sees what holds now.
   * @param pass never rejects
   */
  run(room: RoomId, pass: () => Promise<void>): Promise<void> {
    const known = this.#passes.get(room);
    if (!known) return this.#begin(room, pass);
    // What has changed since the running pass began is seen by the next one.
    known.next ??= known.running.then(() => this.#begin(room, pass));
    return known.next;
  }

  #begin(room: RoomId, pass: () => Promise<void>): Promise<void> {
    const entry = { running: pass(), next: null };
    this.#passes.set(room, entry);
    void this.#forgetAfter(room, entry.running);
    return entry.running;
  }

  async #forgetAfter(room: RoomId, running: Promise<void>): Promise<void> {
    await running;
    const entry = this.#passes.get(room);
    if (entry?.running === running && entry.next === null) this.#passes.delete(room);
  }
}
