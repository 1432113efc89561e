import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** What reading costs the thread, and who pays. */
export interface Meter {
  /** Milliseconds until the payer may read again; 0 if it may now. */
  waitMs(): number;
  /** @param ms of processor time */
  spend(ms: number): void;
}

/** Certificates of a server take 3 to 8 KB. */
const mostBytesBeforeSecure = 32_768;
/** Of what has arrived: 64 KB hold 10,000 chunks of a body, which the parser would handle at once. */
const pieceBytes = 4096;

/**
 * A connection whose reader, TLS and HTTP, works within the thread's meter. Node verifies all certificates that a
 * server sends, at once, before it looks whether it trusts them: a server can make that take hundreds of
 * milliseconds. It ends if the server sends more than certificates need.
 */
export class MeteredSocket extends Duplex {
  readonly #raw: Socket;
  readonly #meter: Meter;
  #before = 0;
  #isSecure = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(raw: Socket, meter: Meter) {
    // A reader that is slow is waited for by `drain`, not by closing halves.
    super({ allowHalfOpen: false });
    this.#raw = raw;
    this.#meter = meter;
    raw.on('data', (part: Buffer) => {
      raw.pause();
      this.#reading = this.#take(part);
    });
    raw.on('end', () => void this.#reading.then(() => this.push(null)));
    raw.on('error', (error) => this.destroy(error));
    raw.on('close', () => void this.#reading.then(() => this.destroy()));
  }

  /** TLS is established, or not used: what follows is an answer. */
  secured(): this {
    this.#isSecure = true;
    return this;
  }

  async #take(part: Buffer): Promise<void> {
    if (!this.#isSecure) this.#before += part.length;
    if (this.#before > mostBytesBeforeSecure) {
      this.destroy(new Error('its certificates are too long'));
      return;
    }
    let wantsMore = true;
    for (let at = 0; at < part.length; at += pieceBytes) {
      for (let wait = this.#meter.waitMs(); wait > 0; wait = this.#meter.waitMs())
        await delay(wait);
      if (this.destroyed) return;
      const before = process.threadCpuUsage();
      wantsMore = this.push(part.subarray(at, at + pieceBytes));
      const { user, system } = process.threadCpuUsage(before);
      this.#meter.spend((user + system) / 1000);
    }
    if (wantsMore) this.#raw.resume();
  }

  override _read(): void {
    void this.#reading.then(() => this.#raw.resume());
  }

  override _write(part: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#raw.write(part, encoding, done);
  }

  override _final(done: () => void): void {
    this.#raw.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#raw.destroy();
    done(error);
  }
}
