/** A client for which bytes wait in this program's memory. */
export interface Reader {
  /** The keys whose bounds its bytes count against: an address, an organization. */
  keys(): readonly string[];
  /** Bytes that wait for it now; 0 once it is gone. */
  waiting(): number;
  /** Called at each check at which bytes wait: returns whether the client reads too slowly. */
  isLate(): boolean;
  /** Ends its connection, which releases the waiting bytes. */
  cut(): void;
}

export interface UnreadBounds {
  /** Bytes that may wait for all clients of one key. */
  perKey: number;
  /** Bytes that may wait for all clients. */
  inAll: number;
}

/** Bytes that may be added before the bounds are checked again, ahead of the next regular check. */
const betweenLooks = 4 * 1024 * 1024;
export const lookMs = 1000;

/**
 * Bounds the memory that clients which do not read cost. Each check cuts late readers. Past a
 * bound, it also cuts readers of the key with the most bytes, starting with the one whose bytes
 * have waited longest. It counts checks rather than clock time, so that a second in which the
 * server was busy does not count against the reader.
 */
export class UnreadBytes {
  readonly #bounds: UnreadBounds;
  readonly #lookMs: number;
  /** For each reader, the number of consecutive checks at which bytes waited. */
  readonly #readers = new Map<Reader, number>();
  #timer: NodeJS.Timeout | undefined;
  #added = 0;

  constructor(bounds: UnreadBounds, everyMs = lookMs) {
    this.#bounds = bounds;
    this.#lookMs = everyMs;
  }

  /** @returns a function that ends the watch */
  watch(reader: Reader): () => void {
    this.#readers.set(reader, 0);
    this.#timer ??= setInterval(() => this.#look(), this.#lookMs).unref();
    return () => void this.#readers.delete(reader);
  }

  /** Call when this many more bytes may begin to wait. */
  added(bytes: number): void {
    this.#added += bytes;
    if (this.#added > betweenLooks) this.#bound();
  }

  #look(): void {
    if (this.#readers.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const [reader, looks] of this.#readers) {
      const waits = reader.waiting() > 0;
      this.#readers.set(reader, waits ? looks + 1 : 0);
      if (waits && reader.isLate()) this.#cut(reader);
    }
    this.#bound();
  }

  #bound(): void {
    this.#added = 0;
    const held = new Map<string, number>();
    const worst: { reader: Reader; bytes: number; looks: number }[] = [];
    let total = 0;
    for (const [reader, looks] of this.#readers) {
      const bytes = reader.waiting();
      if (bytes === 0) continue;
      total += bytes;
      for (const key of reader.keys()) held.set(key, (held.get(key) ?? 0) + bytes);
      worst.push({ reader, bytes, looks });
    }
    if (total <= this.#bounds.inAll && heaviest(held)[1] <= this.#bounds.perKey) return;
    worst.sort((one, other) => other.looks - one.looks || other.bytes - one.bytes);
    for (;;) {
      const [key, most] = heaviest(held);
      if (key === undefined || (most <= this.#bounds.perKey && total <= this.#bounds.inAll)) return;
      const [next] = worst.splice(
        worst.findIndex(({ reader }) => reader.keys().includes(key)),
        1,
      );
      if (!next) return;
      total -= next.bytes;
      for (const each of next.reader.keys()) held.set(each, (held.get(each) ?? 0) - next.bytes);
      this.#cut(next.reader);
    }
  }

  #cut(reader: Reader): void {
    this.#readers.delete(reader);
    reader.cut();
  }
}

function heaviest(held: Map<string, number>): [string | undefined, number] {
  let found: [string | undefined, number] = [undefined, 0];
  for (const [key, bytes] of held) if (bytes > found[1]) found = [key, bytes];
  return found;
}
