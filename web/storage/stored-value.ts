/** A schema of zod or zod/mini, or a check where zod is not loaded (domain/shape.ts). */
type Schema<T> =
  | { safeParse(value: unknown): { success: true; data: T } | { success: false } }
  | ((value: unknown) => value is T);

/**
 * A value stored in this browser, as JSON. The person, an extension, or an older version of the
 * page may have written anything there, so a value that does not match the schema reads as null.
 * Never throws.
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

  /** @returns the value; null if it is missing or malformed */
  read(): T | null {
    const text = this.#text();
    if (text === null) return null;
    try {
      const value: unknown = JSON.parse(text);
      const schema = this.#schema;
      if (typeof schema === 'function') return schema(value) ? value : null;
      const parsed = schema.safeParse(value);
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  }

  /** @returns false if the storage is full or blocked; the page continues without it */
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
      // A storage that refuses this stores nothing either.
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
