import type { RecordedMediaId } from '#domain/ids.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { type FilesOfHolder, isGone } from './may-read-media.ts';
import type { MediaAddress } from './media-url.ts';

/** Within this time after it has ended, an authority sends no more of a file. */
const checkedMs = 500;
/** Checks for the members of an organization who read files, and for its shares. Beyond it, files wait. */
const ofOrganization = { burst: 50, perSecond: 50 };

interface Check {
  /** When the database was asked. */
  beganAt: number;
  media: ReadonlySet<RecordedMediaId>;
  readable: ReadonlySet<RecordedMediaId>;
}

/** A session or share by whose addresses files are open. */
interface Reader {
  address: MediaAddress;
  /** How often each file is open. */
  open: Map<RecordedMediaId, number>;
  /** Aborted when none is. */
  gone: AbortController;
  last: Check | null;
  running: Promise<Check> | null;
}

/**
 * Checks open files again while they are sent. One check in half a second serves all that a session or a share has
 * open, and those of an organization's members, and of its shares, have a rate, in turns of accounts and shares.
 */
export class MediaChecks {
  readonly #check: (files: FilesOfHolder) => Promise<ReadonlySet<RecordedMediaId>>;
  readonly #turns: PacedTurns;
  /** Of open files only. */
  readonly #readers = new Map<string, Reader>();

  /**
   * @param check returns those files that may still be read, as `readableMedia`
   * @param scale multiplies the rate, like the rate limits
   */
  constructor(check: (files: FilesOfHolder) => Promise<ReadonlySet<RecordedMediaId>>, scale = 1) {
    this.#check = check;
    this.#turns = new PacedTurns(ofOrganization, scale);
  }

  /**
   * Notes a file that is open.
   * @param checkedAt when its request was checked, as `performance.now()`
   * @returns `recheck` resolves once it may be sent on, and fails as `requireMayRead`; call `close` when it is closed
   */
  open(
    address: MediaAddress,
    checkedAt: number,
  ): { recheck: () => Promise<void> | undefined; close: () => void } {
    const reader = this.#readerOf(address);
    const { media } = address;
    reader.open.set(media, (reader.open.get(media) ?? 0) + 1);
    let heldAt = checkedAt;
    const recheck = () => {
      if (performance.now() - heldAt < checkedMs) return undefined;
      return this.#checked(reader, media).then((beganAt) => {
        heldAt = beganAt;
      });
    };
    let isOpen = true;
    const close = () => {
      if (isOpen) this.#close(reader, media);
      isOpen = false;
    };
    return { recheck, close };
  }

  async #checked(reader: Reader, media: RecordedMediaId): Promise<number> {
    let check = reader.last;
    while (!check?.media.has(media) || performance.now() - check.beganAt >= checkedMs) {
      reader.running ??= this.#run(reader).finally(() => {
        reader.running = null;
      });
      check = await reader.running;
      // A check that took longer was begun after this file had been due.
      if (check.media.has(media)) break;
    }
    if (!check.readable.has(media)) throw isGone(reader.address.holder);
    return check.beganAt;
  }

  async #run(reader: Reader): Promise<Check> {
    const { org, holder } = reader.address;
    const isShare = 'share' in holder;
    const [group, member] = isShare ? [`${org} shares`, holder.share] : [org, holder.account];
    if (!(await this.#turns.turn(group, member, reader.gone.signal))) throw new Error('closed');
    const beganAt = performance.now();
    const media = [...reader.open.keys()];
    const readable = await this.#check({ org, holder, media });
    reader.last = { beganAt, media: new Set(media), readable };
    return reader.last;
  }

  #readerOf(address: MediaAddress): Reader {
    const key = keyOf(address);
    const found = this.#readers.get(key);
    if (found) return found;
    const reader: Reader = {
      address,
      open: new Map(),
      gone: new AbortController(),
      last: null,
      running: null,
    };
    this.#readers.set(key, reader);
    return reader;
  }

  #close(reader: Reader, media: RecordedMediaId): void {
    const left = (reader.open.get(media) ?? 0) - 1;
    if (left > 0) reader.open.set(media, left);
    else reader.open.delete(media);
    if (reader.open.size > 0) return;
    this.#readers.delete(keyOf(reader.address));
    reader.gone.abort('closed');
  }
}

const keyOf = ({ org, holder }: MediaAddress): string =>
  'share' in holder ? `${org} ${holder.share}` : `${org} ${holder.session} ${holder.account}`;
