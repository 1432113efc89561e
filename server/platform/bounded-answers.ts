import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountId, OrgId, ScimTokenId } from '#domain/ids.ts';
import type { Config } from '#server/config.ts';
import { addressKey } from './address-key.ts';
import { Allowance } from './allowance.ts';
import { tooManyWaiting } from './fair-queue.ts';
import { allowedAddresses } from './private-addresses.ts';
import { lookMs, type Reader, UnreadBytes } from './unread-bytes.ts';

/**
 * The most that unread answers may hold, of one address or organization and in total. A hundred
 * colleagues behind one address load 320 KB each at the same moment.
 */
const unreadBounds = { perKey: 32 * 1024 * 1024, inAll: 128 * 1024 * 1024 };
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
/** A long answer is written in pieces, so that the server sees how fast the client reads it. */
const pieceBytes = 64 * 1024;
/**
 * Answer bytes that one account or SCIM token may request, because producing them takes server
 * time. The heaviest page takes half a megabyte, the longest call 2 MB. Scaled like the rate
 * limits.
 */
const answerBytes = { burst: 16 * 1024 * 1024, perSecond: 2 * 1024 * 1024 };
/** Requests of one connection that await their answers. Browsers and proxies send one after the other. */
const mostPipelined = 10;
/**
 * Connections of one address, WebSockets included: 250 colleagues behind it with eight each. Scaled
 * like the rate limits, for load tests.
 */
const mostConnections = 2_000;

/**
 * Bounds the cost of answers that clients do not read. An answer that is read too slowly ends with
 * its connection. So do the slowest where too many bytes wait for one address, one organization, or
 * in total. A stream (a download) is produced only as fast as it is read.
 */
export function boundAnswers(http: FastifyInstance, config: Config, everyMs = lookMs): void {
  const unread = new UnreadBytes(unreadBounds, everyMs);
  const spent = new Allowance(answerBytes, config.RATE_LIMIT_SCALE);
  const pipelined = new WeakMap<Socket, number>();
  http.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    // WebSockets have their own bounds (calls/open-sockets.ts).
    if (request.ws || socket.destroyed) return;
    const waiting = (pipelined.get(socket) ?? 0) + 1;
    pipelined.set(socket, waiting);
    if (waiting > mostPipelined) return void socket.destroy();
    const reader = new AnswerReader(request, reply, spent);
    readers.set(request, reader);
    const stop = unread.watch(reader);
    reply.raw.once('close', () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
      stop();
    });
  });
  http.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    readers.get(request)?.spend(Buffer.byteLength(payload));
    if (payload.length <= pieceBytes || request.method === 'HEAD') return payload;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    readers.get(request)?.hold(bytes.length);
    unread.added(bytes.length);
    reply.header('content-length', bytes.length);
    return Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: pieceBytes });
  });
  boundConnections(http, config);
}

/**
 * Counts the unread bytes of this request's answer against its organization, too, and the answer's
 * length against its account or SCIM token.
 * @throws DomainError 429 while the account or token has used up its allowance
 */
export function countForOrganization(
  request: FastifyRequest,
  orgId: OrgId,
  who: AccountId | ScimTokenId,
): void {
  readers.get(request)?.countFor(orgId, who);
}

/**
 * Checks the allowance of the request's account or SCIM token again, because other answers may have used it
 * up while this request waited. Passes if the answer has begun, or if the request counts for no allowance.
 * @throws DomainError 429
 */
export function requireAnswerAllowance(request: FastifyRequest): void {
  readers.get(request)?.requireAllowance();
}

const readers = new WeakMap<FastifyRequest, AnswerReader>();

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** One answer, from its request to its last byte. */
class AnswerReader implements Reader {
  readonly #socket: Socket;
  readonly #reply: FastifyReply['raw'];
  readonly #keys: string[];
  readonly #spent: Allowance;
  #spender: string | null = null;
  #held = 0;
  #credit = startCredit;
  #taken: number;

  constructor(request: FastifyRequest, { raw }: FastifyReply, spent: Allowance) {
    this.#spent = spent;
    this.#socket = request.raw.socket;
    this.#reply = raw;
    this.#keys = [addressKey(request.ip)];
    this.#taken = this.#takenNow();
  }

  /** The whole answer stays in memory until its last byte is sent. */
  hold(bytes: number): void {
    this.#held = bytes;
  }

  countFor(orgId: OrgId, who: string): void {
    this.#spender = who;
    if (!this.#keys.includes(orgId)) this.#keys.push(orgId);
    this.requireAllowance();
  }

  requireAllowance(): void {
    if (this.#spender === null || this.#reply.headersSent) return;
    const debtMs = this.#spent.debtMs(this.#spender);
    if (debtMs > 0) throw tooManyWaiting(Math.ceil(debtMs / 1000));
  }

  spend(bytes: number): void {
    if (this.#spender !== null) this.#spent.spend(this.#spender, bytes);
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

/** Connections of a trusted proxy are not counted: it bounds its own clients. */
function boundConnections(http: FastifyInstance, config: Config): void {
  const isProxy = allowedAddresses(config.TRUSTED_PROXIES?.replace(/[a-z]+local|loopback/g, named));
  const counts = new Map<string, number>();
  http.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    const address = addressKey(remoteAddress);
    if (isProxy(address) || isProxy(remoteAddress)) return;
    const count = (counts.get(address) ?? 0) + 1;
    if (count > mostConnections * config.RATE_LIMIT_SCALE) return void socket.destroy();
    counts.set(address, count);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });
}

/** The names of address ranges that Fastify's trustProxy accepts. */
const ranges: Record<string, string> = {
  loopback: '127.0.0.0/8,::1',
  linklocal: '169.254.0.0/16,fe80::/10',
  uniquelocal: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7',
};
const named = (name: string) => ranges[name] ?? name;
