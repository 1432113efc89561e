const headBytes = 5;
/** A record that holds as much costs its bytes, and not its handling. */
const smallBytes = 512;

/** What the records of one connection cost, in small ones. */
export class CostOfRecords {
  /** Bytes that the records held; null during the handshake. */
  decrypted: (() => number) | null = null;
  readonly #records = new TlsRecords();
  #hasBegun = false;
  #empty = 0;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * @param piece what was read last, and decrypted
   * @returns the number of small records that begin in it, plus the number that its bytes without data would make
   */
  of(piece: Uint8Array): number {
    this.#hasBegun = true;
    const small = this.#records.countSmall(piece);
    const before = this.#empty;
    this.#empty = this.#records.complete - (this.decrypted?.() ?? 0);
    return this.decrypted ? small + (this.#empty - before) / smallBytes : small;
  }
}

/** Counts the records of one direction of a TLS connection (RFC 8446, section 5.1), before it is decrypted. */
export class TlsRecords {
  /** Of the record that is being read. */
  #left = 0;
  #length = 0;
  readonly #head: number[] = [];
  #complete = 0;

  /** Bytes of all records that have ended. */
  get complete(): number {
    return this.#complete;
  }

  /** @param piece what follows on the pieces before it. @returns how many records of less than 512 bytes begin in it */
  countSmall(piece: Uint8Array): number {
    let small = 0;
    for (let at = 0; at < piece.length; ) {
      const skipped = Math.min(this.#left, piece.length - at);
      this.#left -= skipped;
      at += skipped;
      if (skipped > 0 && this.#left === 0) this.#complete += this.#length;
      const byte = piece[at];
      if (byte === undefined) break;
      at += 1;
      this.#head.push(byte);
      if (this.#head.length < headBytes) continue;
      const [, , , high = 0, low = 0] = this.#head.splice(0);
      this.#left = high * 256 + low;
      this.#length = headBytes + this.#left;
      if (this.#left === 0) this.#complete += this.#length;
      if (this.#left < smallBytes) small += 1;
    }
    return small;
  }
}
