/** The least that React's useSyncExternalStore needs: a value that is replaced, never changed. */
export type Store<T> = {
  getSnapshot: () => T;
  subscribe: (listener: () => void) => () => void;
};

export class WritableStore<T extends object> implements Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

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
    for (const listener of this.#listeners) listener();
  }
}
