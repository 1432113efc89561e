/** A schema of zod or zod/mini. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/**
 * A value that this browser keeps, as JSON. The person, an extension, or an older version of the page
 * may have written anything there: what does not match the schema reads as null, and nothing throws.
 */
export class StoredValue<T> {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #schema: Schema<T>;

  constructor(storage: Storage, key: string, schema: Schema<T>) {
    this.#storage = storage;
    this.#key = key;
    this.#schema = schema;
  }

  /** @returns the value; null where there is none, or a malformed one */
  read(): T | null {
    const text = this.#text();
    if (text === null) return null;
    try {
      const parsed = this.#schema.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  }

  /** @returns false where the storage is full or refused; the page goes on without it */
  write(value: T): boolean {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  remove(): void {
    try {
      this.#storage.removeItem(this.#key);
    } catch {
      // A storage that refuses this keeps nothing either.
    }
  }

  #text(): string | null {
    try {
      return this.#storage.getItem(this.#key);
    } catch {
      return null;
    }
  }
}
