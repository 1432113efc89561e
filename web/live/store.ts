/** The minimum that React's useSyncExternalStore needs: a value that is replaced, never changed. */
export type Store<T> = {
  getSnapshot: () => T;
  subscribe: (listener: () => void) => () => void;
};

export class WritableStore<T extends object> implements Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();
  #later: ReturnType<typeof setTimeout> | null = null;

  constructor(value: T) {
    this.#value = value;
  }

  getSnapshot = (): T => this.#value;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  update(changed: Partial<T>): void {
    this.#value = { ...this.#value, ...changed };
    if (this.#later === null) this.#tell();
  }

  /** Holds notifications back for so long and then sends one. The value itself is always the newest. */
  notifyLater(milliseconds: number): void {
    this.#later ??= setTimeout(() => this.notifyNow(), milliseconds);
  }

  notifyNow(): void {
    if (this.#later === null) return;
    clearTimeout(this.#later);
    this.#later = null;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
