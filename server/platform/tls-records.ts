const headBytes = 5;
/** One that is as long costs its bytes, and not its handling. */
const smallBytes = 512;

/** Counts the records of one direction of a TLS connection (RFC 8446, section 5.1), before it is decrypted. */
export class TlsRecords {
  /** Of the record that is being read. */
  #left = 0;
  readonly #head: number[] = [];

  /** @param piece what follows on the pieces before it. @returns how many records of less than 512 bytes begin in it */
  countSmall(piece: Uint8Array): number {
    let small = 0;
    for (let at = 0; at < piece.length; ) {
      const skipped = Math.min(this.#left, piece.length - at);
      this.#left -= skipped;
      at += skipped;
      const byte = piece[at];
      if (byte === undefined) break;
      at += 1;
      this.#head.push(byte);
      if (this.#head.length < headBytes) continue;
      const [, , , high = 0, low = 0] = this.#head.splice(0);
      this.#left = high * 256 + low;
      if (this.#left < smallBytes) small += 1;
    }
    return small;
  }
}
