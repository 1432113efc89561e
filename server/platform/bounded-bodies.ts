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

/**
 * Bounds what a request costs before its handler runs: a route that takes a body cannot be registered
 * without a `bodyLimit`, a declared rate limit counts before the body is read, and a body that has
 * not arrived in time ends with 408.
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
    endLate(request, reply, patienceMs);
  });
  http.addHook('onRequest', async (request) => {
    const { rateLimit } = request.routeOptions.config;
    if (rateLimit) declaredLimit(services, rateLimit)(request.ip);
  });
}

const large = 64 * 1024;
/** Long bodies are held in memory several times over while they are parsed and handled. */
const largeBodies = new FairQueue({ atOnce: 4, perKey: 1, mostWaiting: 50 });

/**
 * Lets a long body be read once its turn has come: one at a time for each key, until it is answered.
 * @throws DomainError 429 when too many are waiting
 */
export function waitToRead(request: FastifyRequest, reply: FastifyReply, key: string) {
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) <= large) return Promise.resolve();
  return new Promise<void>((read, refuse) => {
    const answered = () => new Promise<void>((end) => whenOver(reply, end));
    largeBodies
      .run(key, () => {
        read();
        return answered();
      })
      .catch(refuse);
  });
}

/** Answered, or the client is gone. */
function whenOver({ raw }: FastifyReply, end: () => void): void {
  if (raw.destroyed || raw.writableFinished) end();
  else raw.once('close', end);
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** What reads the body gets the error, and so the client its answer. */
function endLate({ raw }: FastifyRequest, reply: FastifyReply, patienceMs: number): void {
  const timer = setTimeout(() => {
    if (raw.complete) return;
    // Answered without reading the body, which is still arriving: nothing more is said.
    if (reply.sent || raw.listenerCount('error') === 0) return void raw.destroy();
    reply.header('connection', 'close');
    raw.emit('error', late());
  }, patienceMs).unref();
  raw.once('end', () => clearTimeout(timer));
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
