import { closeSync, fstatSync, openSync, readSync, unwatchFile, watchFile } from 'node:fs';

/** The most that one reading keeps, from the end. */
const mostBytes = 64 * 1024;

/** PostgreSQL's own log, from the moment that this object was made. */
export class ServerLog {
  readonly #file: string;
  #offset: number;

  /** @param file is created if it does not exist */
  constructor(file: string) {
    this.#file = file;
    this.#offset = this.#open(({ size }) => size);
  }

  #open<Result>(use: (file: { descriptor: number; size: number }) => Result): Result {
    const descriptor = openSync(this.#file, 'a+', 0o600);
    try {
      return use({ descriptor, size: fstatSync(descriptor).size });
    } finally {
      closeSync(descriptor);
    }
  }

  /** Returns what was written since the last reading, or all of a log that was emptied meanwhile. */
  read(): string {
    return this.#open(({ descriptor, size }) => {
      const start = Math.max(this.#offset > size ? 0 : this.#offset, size - mostBytes);
      const written = Buffer.alloc(size - start);
      this.#offset = start + readSync(descriptor, written, 0, written.length, start);
      return written.toString();
    });
  }

  /**
   * Calls `report` about a second after each PANIC, with its reason. All clients lose their
   * connections then, and are not told why.
   * @returns a function that reads a last time and ends the watch
   */
  reportPanics(report: (reason: string) => void): () => void {
    const listener = () => {
      let written = '';
      try {
        written = this.read();
      } catch {
        // The folder was removed: nothing can be reported, and that must not end the program.
      }
      for (const [, reason = ''] of written.matchAll(/PANIC: +(.+)/g)) report(reason);
    };
    watchFile(this.#file, { interval: 1000, persistent: false }, listener);
    return () => {
      unwatchFile(this.#file, listener);
      listener();
    };
  }
}
