import type { AccountId, OrgId } from '#domain/ids.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import { tooManyWaiting } from '#server/platform/fair-queue.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
/** Bytes of notes that all panels of an organization receive: when they connect or ask, and of edits. */
const ofNotes = { burst: 4 * megabyte, perSecond: 4 * megabyte };
/** What short notes have in addition, so that they do not wait for long ones. */
const ofShortNotes = { burst: megabyte, perSecond: megabyte };
const shortBelow = 32 * kilobyte;
/** What may be added to notes while a panel waits for them. What people type meanwhile fits. */
const mostGrowth = 8 * kilobyte;
/** Panels of one account that wait for notes. One more is refused. */
const mostWaiting = 50;
/** An edit that waits for longer is refused, and sent again by the page. */
const patienceMs = 15_000;
/** Seconds of the rate that one edit costs at most, so that the next one does not wait for longer than its page does. */
const mostSecondsOfEdit = 12;
/** Edits of one account that wait. One more is refused. */
const mostEditsWaiting = 10;
/** Characters in base64 of an edit that counts as short: what people type does. */
const shortEditBelow = 2 * kilobyte;
/** Notes are sent in base64. */
const sentPerStored = 4 / 3;

/** An edit that panels are told of. */
interface Telling {
  /** Characters in base64, as far as is known before it is merged. */
  length: number;
  /** How many are told. */
  panels: number;
}

/** Characters of a text of so many bytes as it is sent. */
export const sentLengthOf = (bytes: number): number => Math.ceil(bytes * sentPerStored);

/** The panel that notes are read for. */
interface NotesReader {
  orgId: OrgId;
  accountId: AccountId;
  /** Aborted when its page is gone. */
  socketGone: AbortSignal;
}

/** Ends a transaction that must not read the notes: their turn has not come, or the page is gone. */
class NotNow extends Error {}

/**
 * Paces how many bytes of notes the panels of each organization receive. Its accounts take turns. Notes are
 * charged by their stored size before they are read, and by what was sent afterwards, so that it does not
 * matter how many calls they belong to, or how many panels ask at the same moment.
 */
export class NotesTurns {
  readonly #rates: Rates;

  /** @param scale multiplies the rates, like the rate limits */
  constructor(scale = 1) {
    const rateOf = (bounds: typeof ofNotes) => ({
      turns: new PacedTurns(bounds, scale),
      burst: bounds.burst * scale,
    });
    this.#rates = { all: rateOf(ofNotes), short: rateOf(ofShortNotes) };
  }

  turnOf(reader: NotesReader): NotesTurn {
    return new NotesTurn(this.#rates, reader);
  }

  /**
   * Runs an edit once the panels that are told of it may receive it. It is not stored before, so that panels are told
   * of what is stored at once, and all have the same text.
   * @param edit is given what notes how many characters each panel was told
   * @throws DomainError 429
   */
  async tell<T>(
    tenant: Tenant,
    { length, panels }: Telling,
    edit: (noteTold: (length: number) => void) => Promise<T>,
  ): Promise<T> {
    const { orgId } = tenant;
    const isShort = length < shortEditBelow;
    const { turns, burst } = await this.#turnToTell(tenant, length * panels, isShort);
    const costOf = (each: number) => Math.min(each * panels, burst * mostSecondsOfEdit);
    const charged = costOf(length);
    // A turn costs at most the burst. The rest is for the next ones to wait for.
    turns.spend(orgId, Math.max(0, charged - burst));
    let told = 0;
    try {
      return await edit((each) => {
        told = costOf(each);
      });
    } finally {
      turns.spend(orgId, told - charged);
    }
  }

  async #turnToTell(tenant: Tenant, bytes: number, isShort: boolean): Promise<Rate> {
    const { all, short } = this.#rates;
    const { orgId } = tenant;
    if (all.turns.starts(orgId, bytes)) return all;
    const rate = isShort ? short : all;
    const member = actingAccount(tenant) ?? '';
    if (rate.turns.waiting(orgId, member) >= mostEditsWaiting) throw tooManyWaiting();
    const isTurn = await rate.turns.turn(orgId, member, AbortSignal.timeout(patienceMs), bytes);
    if (!isTurn) throw tooManyWaiting();
    return rate;
  }
}

interface Rate {
  turns: PacedTurns;
  burst: number;
}

interface Rates {
  all: Rate;
  /** Of short notes, where `all` is used up. */
  short: Rate;
}

/** One panel's turn to receive the notes of a call. */
class NotesTurn {
  readonly #rates: Rates;
  readonly #reader: NotesReader;
  #charged: { rate: Rate; bytes: number } | null = null;
  /** Bytes whose turn has not come. */
  #needed = 0;

  constructor(rates: Rates, reader: NotesReader) {
    this.#rates = rates;
    this.#reader = reader;
  }

  /**
   * Runs `send`, which calls `requirePage` and `charge` before it reads the notes, passes their errors on, and
   * returns the bytes that it has sent.
   * @returns false if the notes must wait for their turn, or the page is gone
   */
  async sends(send: () => Promise<number>): Promise<boolean> {
    let bytes = 0;
    try {
      bytes = await send();
      return true;
    } catch (error) {
      if (error instanceof NotNow) return false;
      throw error;
    } finally {
      this.#end(bytes);
    }
  }

  /**
   * Runs `send` once the turn of notes that must wait has come. Does nothing once the page is gone.
   * @throws DomainError 429
   */
  async sendInTurn(send: () => Promise<number>): Promise<void> {
    let isSent = false;
    while (!isSent && (await this.#wait())) isSent = await this.sends(send);
  }

  /** @throws NotNow when the page is gone */
  requirePage(): void {
    if (this.#reader.socketGone.aborted) throw new NotNow();
  }

  /**
   * Charges notes of so many stored bytes, which are read next.
   * @throws NotNow when they must wait, or the page is gone
   */
  charge(stored: number): void {
    this.requirePage();
    const bytes = sentLengthOf(stored);
    if (this.#charged ? this.#hasGrownTo(bytes) : this.#starts(bytes)) return;
    this.#needed = bytes;
    throw new NotNow();
  }

  /** @returns whether the turn has come; false if the page is gone */
  async #wait(): Promise<boolean> {
    const { orgId, accountId, socketGone } = this.#reader;
    if (socketGone.aborted) return false;
    const bytes = this.#needed;
    const rate = bytes < shortBelow ? this.#rates.short : this.#rates.all;
    if (rate.turns.waiting(orgId, accountId) >= mostWaiting) throw tooManyWaiting();
    const isTurn = await rate.turns.turn(orgId, accountId, socketGone, bytes);
    if (isTurn) this.#take(rate, bytes);
    return isTurn;
  }

  /** Corrects the charge to the bytes that were sent. */
  #end(bytes: number): void {
    if (!this.#charged) return;
    const { rate, bytes: charged } = this.#charged;
    rate.turns.spend(this.#reader.orgId, bytes - charged);
    this.#charged = null;
  }

  #starts(bytes: number): boolean {
    const { all, short } = this.#rates;
    const rate = [all, ...(bytes < shortBelow ? [short] : [])].find(({ turns }) =>
      turns.starts(this.#reader.orgId, bytes),
    );
    if (rate) this.#take(rate, bytes);
    return rate !== undefined;
  }

  #take(rate: Rate, bytes: number): void {
    // A turn costs at most the burst. The rest is for the next ones to wait for.
    rate.turns.spend(this.#reader.orgId, Math.max(0, bytes - rate.burst));
    this.#charged = { rate, bytes };
  }

  /** Notes that were charged in time have this size now. @returns false if they must wait again */
  #hasGrownTo(bytes: number): boolean {
    if (!this.#charged) return false;
    const growth = bytes - this.#charged.bytes;
    if (growth > mostGrowth) return false;
    this.#charged.rate.turns.spend(this.#reader.orgId, growth);
    this.#charged.bytes = bytes;
    return true;
  }
}
