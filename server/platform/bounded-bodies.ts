import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '#domain/contract.ts';
import { DomainError } from '#domain/errors.ts';
import type { Services } from '#server/services.ts';
import { FairQueue } from './fair-queue.ts';
import { declaredLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counted by client address before the body is read. */
    rateLimit?: RateLimit;
    /** The route takes a file, for which the time limit of a whole request applies. */
    takesFile?: boolean;
  }
}

const bodyMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** JSON and forms of our own pages arrive in one or two seconds, even on a slow mobile network. */
export const bodySeconds = 30;
const large = 64 * 1024;
/**
 * Minimum rate of a long body, in bytes per second. The first 64 KB are credited, because they may
 * have arrived with the headers or while the body waited. A body therefore ends after five seconds
 * without data.
 */
const slowest = 16 * 1024;

/**
 * Bounds the cost of a request before its handler runs. A route that takes a body cannot be
 * registered without a `bodyLimit`. A declared rate limit counts before the body is read. A body
 * that has not arrived in time, or a long one that arrives too slowly, ends with 408.
 */
export function boundBodies(
  http: FastifyInstance,
  services: Pick<Services, 'config'>,
  patienceMs = bodySeconds * 1000,
): void {
  http.addHook('onRoute', ({ method, url, bodyLimit }) => {
    if (bodyLimit !== undefined || ![method].flat().some((one) => bodyMethods.has(one))) return;
    throw new Error(`${method} ${url}: declare a bodyLimit, in bytes`);
  });
  http.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request) || request.routeOptions.config.takesFile) return;
    const patience = new Patience(request, reply, patienceMs);
    patiences.set(request, patience);
    patience.begin();
  });
  http.addHook('onRequest', async (request) => {
    const { rateLimit } = request.routeOptions.config;
    if (rateLimit) declaredLimit(services, rateLimit)(request.ip);
  });
  // The request was refused before it was handled.
  http.addHook('onSend', async (request) => {
    const place = places.get(request);
    if (place && !place.isHandled) place.free();
  });
}

/**
 * A long body is held in memory several times over while it is parsed and handled. At most 32 MB of
 * long bodies are read and handled at a time, and one body per key.
 */
const largeBodies = new FairQueue({ atOnce: 32 * 1024 * 1024, perKey: 1, mostWaiting: 50 });

/** The place of a long body among those being read and handled. */
class Place {
  #free: (() => void) | undefined;
  readonly freed = new Promise<void>((free) => {
    this.#free = free;
  });
  isHandled = false;

  free(): void {
    this.#free?.();
  }
}
const places = new WeakMap<FastifyRequest, Place>();

/**
 * Resolves when the request's long body may be read: one at a time for each key, until it is
 * handled, however long its answer takes to send. The time limit of the body starts then.
 * @throws DomainError 429 when too many are waiting
 */
export function waitToRead(request: FastifyRequest, key: string): Promise<void> {
  if (!isLong(request)) return Promise.resolve();
  const patience = patiences.get(request);
  patience?.stop();
  const { socket } = request.raw;
  const place = new Place();
  places.set(request, place);
  // A handler whose client has disconnected still holds its body.
  const gone = () => !place.isHandled && place.free();
  socket.once('close', gone);
  return new Promise<void>((read, refuse) => {
    const task = () => {
      if (socket.destroyed) place.free();
      patience?.begin();
      read();
      return place.freed;
    };
    largeBodies
      .run(key, task, mostBytesOf(request))
      .catch(refuse)
      .finally(() => socket.off('close', gone));
  });
}

/** Handles a request and then frees the place of its long body. */
export async function holdPlace<T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T> {
  const place = places.get(request);
  if (!place) return handle();
  place.isHandled = true;
  try {
    return await handle();
  } finally {
    place.free();
  }
}

const lengthOf = ({ headers }: FastifyRequest) => {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
};
const mostBytesOf = (request: FastifyRequest) =>
  Math.min(lengthOf(request) ?? Number.POSITIVE_INFINITY, request.routeOptions.bodyLimit);
/** A body without a declared length counts as long. */
const isLong = (request: FastifyRequest) => hasBody(request) && mostBytesOf(request) > large;

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const patiences = new WeakMap<FastifyRequest, Patience>();

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
   * was busy does not count against the sender.
   */
  begin(): void {
    const { raw } = this.#request;
    const before = raw.socket.bytesRead - large;
    const needed = isLong(this.#request) ? slowest : 0;
    let looks = 0;
    this.#timer = setInterval(() => {
      looks += 1;
      if (raw.complete) return this.stop();
      const isSlow = raw.socket.bytesRead - before < looks * needed;
      if (isSlow || looks >= bodySeconds) this.#end();
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
      'Your request did not arrive in time. Check your connection and try again.',
    ),
    { statusCode: 408 },
  );
