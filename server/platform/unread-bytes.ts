/** A client for which bytes wait in this program's memory. */
export interface Reader {
  /** Whose bounds its bytes count against: an address, an organization. */
  keys(): readonly string[];
  /** Bytes that wait for it now; 0 once it is gone. */
  waiting(): number;
  /** Asked at each look at which bytes wait: whether it takes them too slowly. */
  isLate(): boolean;
  /** Ends its connection, and so lets go of what waits. */
  cut(): void;
}

export interface UnreadBounds {
  /** Bytes that may wait for all clients of one key. */
  perKey: number;
  /** Bytes that may wait for all clients. */
  inAll: number;
}

/** Bytes that may be added to what waits before the bounds are looked at again, ahead of the next look. */
const betweenLooks = 4 * 1024 * 1024;
export const lookMs = 1000;

/**
 * Bounds what clients that do not read cost in memory: at each look it cuts those that are late, and past
 * a bound the worst of the key that holds most, first the one that has kept bytes waiting for longest.
 * Looks are counted rather than the clock: a second in which this program was busy is not the reader's.
 */
export class UnreadBytes {
  readonly #bounds: UnreadBounds;
  readonly #lookMs: number;
  /** By each reader, at how many looks in a row bytes waited for it. */
  readonly #readers = new Map<Reader, number>();
  #timer: NodeJS.Timeout | undefined;
  #added = 0;

  constructor(bounds: UnreadBounds, everyMs = lookMs) {
    this.#bounds = bounds;
    this.#lookMs = everyMs;
  }

  /** @returns what ends the watch */
  watch(reader: Reader): () => void {
    this.#readers.set(reader, 0);
    this.#timer ??= setInterval(() => this.#look(), this.#lookMs).unref();
    return () => void this.#readers.delete(reader);
  }

  /** To call when so many bytes more may begin to wait. */
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
