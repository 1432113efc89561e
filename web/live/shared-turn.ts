/** The part of the Web Locks API that is used here, so that a test can pass its own. */
export type Locks = Pick<LockManager, 'request'>;

/**
 * Makes one page of the browser the holder of something. When its tab closes, the browser gives the lock to the
 * next page that waits. Without Web Locks (a page without HTTPS), each page holds its own.
 */
export class SharedTurn {
  readonly #name: string;
  readonly #locks: Locks | undefined;
  readonly #hold: () => () => void;
  readonly #closed = new AbortController();
  /** Set while this page is the holder. */
  #end: (() => void) | null = null;

  /** @param hold called when the turn begins; returns what ends it */
  constructor(name: string, hold: () => () => void, locks: Locks | undefined = navigator.locks) {
    this.#name = name;
    this.#hold = hold;
    this.#locks = locks;
    void this.#wait();
  }

  get isHolder(): boolean {
    return this.#end !== null;
  }

  /** Takes the turn from a holder that does not answer: the browser may have suspended its tab. */
  takeOver(): void {
    if (this.isHolder || this.#closed.signal.aborted) return;
    this.#request({ steal: true }).catch(() => this.#lost());
  }

  close(): void {
    this.#closed.abort();
    this.#lost();
  }

  async #wait(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        await this.#request({ signal });
      } catch (error) {
        this.#lost();
        // Locks are not allowed here. Otherwise another page took over, or this one has closed.
        if (!(error instanceof DOMException) || error.name !== 'AbortError') return this.#begin();
      }
    }
  }

  async #request(options: LockOptions): Promise<void> {
    if (this.#locks) await this.#locks.request(this.#name, options, () => this.#begin());
    else await this.#begin();
  }

  /** Resolves when this page closes. */
  #begin(): Promise<void> {
    const { signal } = this.#closed;
    if (signal.aborted || this.isHolder) return Promise.resolve();
    this.#end = this.#hold();
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #lost(): void {
    const end = this.#end;
    this.#end = null;
    end?.();
  }
}
