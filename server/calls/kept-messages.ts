import { UnreadBytes } from '#server/platform/unread-bytes.ts';
import type { Said } from './open-sockets.ts';

/** Past it, a page that reconnects starts a new session. */
const mostKept = 256;
const mostBytes = 256 * 1024;
/** Of it, for a page whose socket is gone: there may be many of those. */
const mostBytesAbsent = 64 * 1024;
/** For each message, besides its text. */
const overheadBytes = 100;

/**
 * Bytes kept for the pages of one organization, and of all. A message to many pages counts for each of them,
 * though they share its text.
 */
const kept = new UnreadBytes({ perKey: 24 * 1024 * 1024, inAll: 96 * 1024 * 1024 });

interface Kept {
  sequence: number;
  said: Said;
  bytes: number;
}

/**
 * The numbered messages that a session keeps until its page has acknowledged them, within bounds for the
 * session, its organization, and the process.
 */
export class KeptMessages {
  readonly #keys: readonly string[];
  #messages: Kept[] = [];
  #bytes = 0;
  /** The sequence of the newest message that is not kept any more. */
  #forgotten = 0;
  #isOver = false;
  #stopWatch: (() => void) | null = null;

  constructor(orgId: string) {
    this.#keys = [orgId];
  }

  /** Keeps the session's next message, and forgets what is beyond the bounds of the session. */
  keep(sequence: number, said: Said, isAbsent: boolean): void {
    if (this.#isOver) {
      this.#forgotten = sequence;
      return;
    }
    const bytes = memoryOf(said) + overheadBytes;
    this.#messages.push({ sequence, said, bytes });
    this.#bytes += bytes;
    this.#stopWatch ??= kept.watch({
      keys: () => this.#keys,
      waiting: () => this.#bytes,
      isLate: () => false,
      cut: () => {
        this.#stopWatch = null;
        this.acknowledged(Number.POSITIVE_INFINITY);
      },
    });
    this.forgetSurplus(isAbsent);
    kept.added(bytes);
  }

  /** @param isAbsent whether the page's socket is gone */
  forgetSurplus(isAbsent: boolean): void {
    const most = isAbsent ? mostBytesAbsent : mostBytes;
    while (this.#messages.length > mostKept || this.#bytes > most) this.#forgetOldest();
  }

  /** Forgets the messages up to this sequence. */
  acknowledged(sequence: number): void {
    while ((this.#messages[0]?.sequence ?? Number.POSITIVE_INFINITY) <= sequence) {
      if (!this.#forgetOldest()) return;
    }
  }

  /** Returns whether all messages after `sequence` are still kept. */
  hasAllAfter(sequence: number): boolean {
    return sequence >= this.#forgotten;
  }

  after(sequence: number): readonly { sequence: number; said: Said }[] {
    return this.#messages.filter((message) => message.sequence > sequence);
  }

  /** The session has ended: nothing is kept from now on. */
  end(): void {
    this.#isOver = true;
    this.acknowledged(Number.POSITIVE_INFINITY);
  }

  #forgetOldest(): boolean {
    const oldest = this.#messages.shift();
    if (!oldest) return false;
    this.#forgotten = oldest.sequence;
    this.#bytes -= oldest.bytes;
    if (this.#messages.length === 0) {
      this.#stopWatch?.();
      this.#stopWatch = null;
    }
    return true;
  }
}

/** V8 keeps a string in one byte for each character, or in two if one of them needs it. */
function memoryOf(said: Said): number {
  if (typeof said !== 'string') return said.length;
  return Buffer.byteLength(said) === said.length ? said.length : 2 * said.length;
}
