import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as delay, setImmediate as otherWork } from 'node:timers/promises';

/** What reading costs the thread, and who pays. */
export interface Meter {
  /** Milliseconds until the payer may read again; 0 if it may now. */
  waitMs(): number;
  /** Waits while the thread has read enough for others; undefined if it has not (loop-turns.ts). */
  turn?(): Promise<void> | undefined;
  /**
   * @param ms of processor time
   * @param piece that was read
   */
  spend(ms: number, piece: Buffer): void;
}

/** Certificates of a server take 3 to 8 KB, and what a browser sends takes less. */
const mostBytesBeforeSecure = 32_768;
/** Of what has arrived: 64 KB hold 10,000 chunks of a body, which the parser would handle at once. */
const pieceBytes = 4096;
/** Others come before the next piece. */
const longestTurnMs = 1;
/** A connection that has ended meanwhile lets go of what has arrived. */
const longestWaitMs = 200;

/**
 * A connection whose reader, TLS and HTTP, works within a meter. Node verifies all certificates that a server sends, at
 * once, before it looks whether it trusts them: a server can make that take hundreds of milliseconds. The connection
 * ends if more is sent than certificates need.
 */
export class MeteredSocket extends Duplex {
  readonly #raw: Socket;
  readonly #meter: Meter;
  #before = 0;
  #isSecure = false;
  /** What has arrived is handed on in its order. */
  #reading: Promise<void> = Promise.resolve();
  #waiting = 0;
  #wantsMore = true;
  /** Called once the reader wants more, or the connection has ended. */
  #wanted: () => void = () => undefined;

  /**
   * @param options `endsAtOnce`: what has arrived is given up once the connection is closed. Without it, it is handed
   *   on first, because a server closes its connection after its answer.
   */
  constructor(raw: Socket, meter: Meter, { endsAtOnce = false } = {}) {
    super({ allowHalfOpen: raw.allowHalfOpen });
    this.#raw = raw;
    this.#meter = meter;
    raw.on('data', (part: Buffer) => {
      // A part may follow that was read before.
      raw.pause();
      this.#waiting += 1;
      this.#then(async () => {
        await this.#take(part);
        this.#waiting -= 1;
        this.#goOn();
      });
    });
    raw.on('end', () => this.#then(() => void this.push(null)));
    raw.on('error', (error) => this.destroy(error));
    raw.on('close', () => {
      if (endsAtOnce) this.destroy();
      else this.#then(() => void this.destroy());
    });
  }

  /** TLS is established, or not used: what follows is an answer. */
  secured(): this {
    this.#isSecure = true;
    return this;
  }

  /** As `net.Socket` has it, which Node calls once an answer is complete. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }

  #then(work: () => void | Promise<void>): void {
    this.#reading = this.#reading.then(() => (this.destroyed ? undefined : work()));
  }

  async #take(part: Buffer): Promise<void> {
    for (let at = 0; at < part.length; at += pieceBytes) {
      await this.#readerWantsMore();
      await this.#mayRead();
      if (this.destroyed) return;
      const piece = part.subarray(at, at + pieceBytes);
      // What follows the handshake may have arrived with it.
      if (!this.#isSecure) this.#before += piece.length;
      if (this.#before > mostBytesBeforeSecure) {
        this.destroy(new Error('its certificates are too long'));
        return;
      }
      const before = process.threadCpuUsage();
      this.#wantsMore = this.push(piece);
      const { user, system } = process.threadCpuUsage(before);
      const ms = (user + system) / 1000;
      this.#meter.spend(ms, piece);
      if (ms > longestTurnMs) await otherWork();
      if (this.destroyed) return;
    }
  }

  /** A reader that has paused gets no more, and is charged for no more. */
  async #readerWantsMore(): Promise<void> {
    if (this.#wantsMore || this.destroyed) return;
    await new Promise<void>((wanted) => {
      this.#wanted = wanted;
    });
  }

  /** Looks again at what the payer owes after each wait, in which others may have spent. */
  async #mayRead(): Promise<void> {
    while (!this.destroyed) {
      await this.#meter.turn?.();
      const wait = this.#meter.waitMs();
      if (wait <= 0) return;
      await delay(Math.min(wait, longestWaitMs));
    }
  }

  #goOn(): void {
    if (this.#waiting === 0 && this.#wantsMore && !this.destroyed) this.#raw.resume();
  }

  override _read(): void {
    this.#wantsMore = true;
    this.#wanted();
    this.#goOn();
  }

  override _write(part: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#raw.write(part, encoding, done);
  }

  override _final(done: () => void): void {
    this.#raw.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wanted();
    this.#raw.destroy();
    done(error);
  }
}
