/**
 * Handles the signals of one peer one after the other. A browser never settles an operation of a connection that is
 * closed meanwhile (Chromium 156), and the signals behind it would wait forever. Therefore the signal
 * that is being handled is given up when its connection is replaced.
 */
export class SignalQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #abandon = () => {};
  #abandoned: Promise<void> = Promise.resolve();

  constructor() {
    this.giveUp();
  }

  /** @returns settles once the signal is handled or given up */
  async add(handle: () => Promise<void>): Promise<void> {
    const work = this.#tail.then(() => {
      // What the first, synchronous part of the handler replaces is not its own connection.
      const handled = handle();
      return Promise.race([handled, this.#abandoned]);
    });
    this.#tail = work.catch((error) => {
      console.warn('rapport: a signal could not be used', error);
    });
    await this.#tail;
  }

  /** The connection that the present signal belongs to was replaced. */
  giveUp(): void {
    this.#abandon();
    this.#abandoned = new Promise((resolve) => {
      this.#abandon = resolve;
    });
  }
}
