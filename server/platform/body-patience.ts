import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import { sizeOf } from './body-size.ts';

/** JSON and forms of our own pages arrive in one or two seconds, even on a slow mobile network. */
export const bodySeconds = 30;
/**
 * Minimum rate of a long body, in bytes per second. The first 64 KB are credited, because they may
 * have arrived with the headers or while the body waited. A body therefore ends after five seconds
 * without data.
 */
const slowest = 16 * 1024;
const credit = 64 * 1024;
/**
 * Once others have waited for a place for so many seconds, a body must have arrived at this rate meanwhile: a place is
 * taken by the size that a body declares, and 18 of the slowest would keep all others waiting for minutes.
 */
const crowdSeconds = 5;
const slowestInCrowd = 128 * 1024;

const patiences = new WeakMap<FastifyRequest, Patience>();
export const patienceOf = (request: FastifyRequest) => patiences.get(request);

/** Starts the time limit of the request's body. */
export function beginPatience(request: FastifyRequest, reply: FastifyReply, patienceMs: number) {
  const patience = new Patience(request, reply, patienceMs);
  patiences.set(request, patience);
  patience.begin();
}

/** Ends a request whose body does not arrive in time. */
class Patience {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #patienceMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, patienceMs: number) {
    this.#request = request;
    this.#reply = reply;
    this.#patienceMs = patienceMs;
    request.raw.once('end', () => this.stop());
    request.raw.once('close', () => this.stop());
  }

  /**
   * Counts thirty one-second checks rather than clock time, so that a second in which the server
   * was busy does not count against the sender. A long file may take longer than thirty seconds,
   * as long as it arrives at the minimum rate.
   * @param isCrowded whether others wait for a place
   */
  begin(isCrowded: () => boolean = () => false): void {
    const { raw, routeOptions } = this.#request;
    const isLong = sizeOf(this.#request) === 'long';
    const before = raw.socket.bytesRead - credit;
    const needed = isLong ? slowest : 0;
    const mostLooks =
      isLong && routeOptions.config.takesFile ? Number.POSITIVE_INFINITY : bodySeconds;
    let looks = 0;
    let crowd = { looks: 0, before: raw.socket.bytesRead };
    this.#timer = setInterval(() => {
      looks += 1;
      if (raw.complete) return this.stop();
      const received = raw.socket.bytesRead;
      const isSlow = received - before < looks * needed;
      crowd = isCrowded() ? { ...crowd, looks: crowd.looks + 1 } : { looks: 0, before: received };
      const isInTheWay =
        crowd.looks >= crowdSeconds && received - crowd.before < crowd.looks * slowestInCrowd;
      if (isSlow || isInTheWay || looks >= mostLooks) this.#end();
    }, this.#patienceMs / bodySeconds).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Emits the error on the request, so that the code reading the body answers the client. */
  #end(): void {
    this.stop();
    const { raw } = this.#request;
    // The request was answered without reading the body, which is still arriving: close without
    // another answer.
    if (this.#reply.sent || raw.listenerCount('error') === 0) return void raw.destroy();
    this.#reply.header('connection', 'close');
    raw.emit('error', late());
  }
}

/** Fastify takes the status from `statusCode` when reading the body fails. */
const late = () =>
  Object.assign(
    new DomainError(
      'timed_out',
      'body_too_slow',
      'Your request took too long to arrive. Check your connection and try again.',
    ),
    { statusCode: 408 },
  );
