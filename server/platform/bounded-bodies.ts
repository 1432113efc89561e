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
    /** Takes a file, which may take as long as the server gives a whole request. */
    takesFile?: boolean;
  }
}

const bodyMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** JSON and forms of our own pages arrive in one or two seconds, also on a slow mobile network. */
export const bodySeconds = 30;
const large = 64 * 1024;
/**
 * Bytes a second that a long body has to arrive with. Its first 64 KB may have come with the headers, or
 * while it waited: it is given them, and so ends when nothing has arrived for five seconds.
 */
const slowest = 16 * 1024;

/**
 * Bounds what a request costs before its handler runs: a route that takes a body cannot be registered
 * without a `bodyLimit`, a declared rate limit counts before the body is read, and a body that has
 * not arrived in time, or a long one that arrives too slowly, ends with 408.
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
  // Refused before it was handled.
  http.addHook('onSend', async (request) => {
    const place = places.get(request);
    if (place && !place.isHandled) place.free();
  });
}

/**
 * Long bodies are held in memory several times over while they are parsed and handled: of all together
 * 32 MB are read and handled at a time, and of each key one body.
 */
const largeBodies = new FairQueue({ atOnce: 32 * 1024 * 1024, perKey: 1, mostWaiting: 50 });

/** A long body's place among those that are read and handled. */
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
 * Lets a long body be read once its turn has come: one at a time for each key, until it is handled, however
 * long its answer is then on its way. The time that it has to arrive begins with its turn.
 * @throws DomainError 429 when too many are waiting
 */
export function waitToRead(request: FastifyRequest, key: string): Promise<void> {
  if (!isLong(request)) return Promise.resolve();
  const patience = patiences.get(request);
  patience?.stop();
  const { socket } = request.raw;
  const place = new Place();
  places.set(request, place);
  // A handler whose client is gone still holds its body.
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

/** Handles a request; the place of its long body is free when that is over. */
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
/** So is one that does not say how long it is. */
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
   * Looks once a second, in thirty looks, rather than at the clock: a second in which this program was
   * busy with something else is not the sender's.
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

  /** What reads the body gets the error, and so the client its answer. */
  #end(): void {
    this.stop();
    const { raw } = this.#request;
    // Answered without reading the body, which is still arriving: nothing more is said.
    if (this.#reply.sent || raw.listenerCount('error') === 0) return void raw.destroy();
    this.#reply.header('connection', 'close');
    raw.emit('error', late());
  }
}

/** Fastify takes the status of an error that reading the body meets from `statusCode`. */
const late = () =>
  Object.assign(
    new DomainError(
      'timed_out',
      'body_too_slow',
      'Your request did not arrive in time. Check your connection and try again.',
    ),
    { statusCode: 408 },
  );
