import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OrgId } from '#domain/ids.ts';
import type { RequestPace } from './access.ts';
import { addressKey } from './address-key.ts';
import type { AnswerTurns, Charge } from './answer-turns.ts';
import { tooManyWaiting } from './fair-queue.ts';
import { freeBytes, pacedStream } from './paced-streams.ts';
import type { PacedTurns } from './paced-turns.ts';
import type { Reader } from './unread-bytes.ts';

/**
 * Minimum rate at which a client must read an answer, in bytes per second: half of what a slow
 * phone reads.
 */
const slowest = 8 * 1024;
/** Every answer starts with ten seconds of credit, since networks stall. */
const startCredit = 10 * slowest;
/**
 * Bytes read quickly add credit for the rest of the answer, up to this much. The kernel buffers up
 * to 4 MB for a slow client, and asks for more once a third of it is sent: 80 seconds at 16 KB/s.
 */
const mostCredit = 2 * 1024 * 1024;

/** The rates at which answers are made and sent. */
export interface Paces {
  /** By organization. */
  answers: AnswerTurns;
  /** Files of all addresses without an account. */
  files: PacedTurns;
}

/** Whose answer it is, and of which route. */
interface Asked {
  orgId: OrgId;
  who: string;
  path: string;
}

/** One answer, from its request to its last byte. */
export class AnswerReader implements Reader, RequestPace {
  readonly #socket: Socket;
  readonly #reply: FastifyReply['raw'];
  readonly #keys: string[];
  readonly #paces: Paces;
  readonly #isRead: boolean;
  /** Made for an answer that waits. Most answers never do. */
  #closed: AbortController | null = null;
  #isClosed = false;
  #asked: Asked | null = null;
  #beginning: Promise<void> | null = null;
  #charge: Charge | null = null;
  #held = 0;
  #made = 0;
  #credit = startCredit;
  #taken: number;

  constructor(request: FastifyRequest, { raw }: FastifyReply, paces: Paces) {
    this.#paces = paces;
    this.#socket = request.raw.socket;
    this.#isRead = request.method === 'GET' || request.method === 'HEAD';
    this.#reply = raw;
    this.#keys = [addressKey(request.ip)];
    this.#taken = this.#takenNow();
  }

  /** The whole answer stays in memory until its last byte is sent. */
  hold(bytes: number): void {
    this.#held = bytes;
  }

  countFor(orgId: OrgId, who: string, path: string): void {
    this.#asked = { orgId, who, path };
    if (!this.#keys.includes(orgId)) this.#keys.push(orgId);
  }

  wait(): Promise<void> {
    if (!this.#asked) return Promise.resolve();
    // A change goes on without its client; nothing is read for no one.
    if (this.#isClosed && this.#isRead) return Promise.reject(tooManyWaiting());
    const { orgId, path } = this.#asked;
    this.#charge ??= this.#paces.answers.short(orgId, path);
    if (this.#charge && !this.mustWait()) return Promise.resolve();
    this.#beginning ??= this.#begin(this.#asked).finally(() => {
      this.#beginning = null;
    });
    return this.#beginning;
  }

  async #begin({ orgId, who, path }: Asked): Promise<void> {
    this.#charge = await this.#paces.answers.begin(orgId, who, path, this.#signal());
    if (this.#charge === null) throw tooManyWaiting();
  }

  mustWait(): boolean {
    if (!this.#asked || !this.#charge || this.#reply.headersSent) return false;
    const { orgId, path } = this.#asked;
    return this.#charge.bytes === 0 && this.#paces.answers.isLong(orgId, path);
  }

  async receive(bytes: number): Promise<void> {
    if (!this.#asked) return;
    const { orgId, who } = this.#asked;
    if (!(await this.#paces.answers.receive(orgId, who, this.#signal(), bytes)))
      throw tooManyWaiting();
  }

  worked(ms: number): void {
    if (this.#asked) this.#paces.answers.worked(this.#asked.orgId, ms);
  }

  /** So much was made, for example to compare it with an entity tag, whether or not it is sent. */
  made(bytes: number): void {
    this.#made = Math.max(this.#made, bytes);
  }

  /** The answer has this length. */
  spend(bytes: number): void {
    if (this.#charge) this.#paces.answers.end(this.#charge, Math.max(bytes, this.#made));
    this.#charge = null;
    this.#asked = null;
  }

  /** Whether an organization is charged for the answer; what others are sent is paced. */
  get isCharged(): boolean {
    return this.#asked !== null;
  }

  /** The account or token whose answer it is; null where no organization is charged. */
  get who(): string | null {
    return this.#asked?.who ?? null;
  }

  /**
   * Sends a stream in turns: of the organization, or of the address.
   * @param free how many bytes wait for none
   */
  paced(content: Readable, free = freeBytes): Readable {
    const asked = this.#asked;
    this.spend(0);
    this.#asked = asked;
    const signal = this.#signal();
    if (signal.aborted) content.destroy();
    signal.addEventListener('abort', () => content.destroy(), { once: true });
    return pacedStream(content, (bytes) => this.#turn(bytes), free);
  }

  /**
   * The answer is sent, or nobody reads it any more. What was charged for it in advance is not given back: whoever drops
   * a request pays for it as if they had read its answer.
   */
  close(): void {
    this.#isClosed = true;
    this.#closed?.abort('closed');
  }

  /** Aborted when the answer closes. */
  #signal(): AbortSignal {
    this.#closed ??= new AbortController();
    if (this.#isClosed) this.#closed.abort('closed');
    return this.#closed.signal;
  }

  #turn(bytes: number): Promise<boolean> {
    const signal = this.#signal();
    if (this.#asked) {
      return this.#paces.answers.stream(this.#asked.orgId, this.#asked.who, signal, bytes);
    }
    return this.#paces.files.turn('files', this.#keys[0] ?? '', signal, bytes);
  }

  keys(): readonly string[] {
    return this.#keys;
  }

  waiting(): number {
    if (this.#socket.destroyed || this.#reply.writableFinished) return 0;
    return Math.max(this.#held, this.#reply.writableLength);
  }

  isLate(): boolean {
    // This answer waits behind another on the same connection, whose speed counts.
    if (!this.#reply.socket) return false;
    const taken = this.#takenNow();
    this.#credit = Math.min(mostCredit, this.#credit + taken - this.#taken) - slowest;
    this.#taken = taken;
    return this.#credit < 0;
  }

  cut(): void {
    this.#socket.destroy();
  }

  #takenNow(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }
}
