import type { FastifyInstance } from 'fastify';
import { defaultBodyLimit, type RateLimit } from '#domain/contract.ts';
import type { Services } from '#server/services.ts';
import { ArrivingBodies } from './arriving-bodies.ts';
import { beginPatience, bodySeconds } from './body-patience.ts';
import { freeUnhandled, takesPlace } from './body-places.ts';
import { hasBody, sizeOf } from './body-size.ts';
import { declaredLimit } from './rate-limit.ts';
import { boundUnreadBodies } from './unread-bodies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counted by client address before the body is read. */
    rateLimit?: RateLimit;
    /** The route takes a file. A long one may take longer to arrive than another body. */
    takesFile?: boolean;
  }
}

const bodyMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Bounds the cost of a request before its handler runs. A route that takes a body cannot be
 * registered without a `bodyLimit`, nor without a place for a body above 16 KB. A declared rate
 * limit counts before the body is read. A body that has not arrived in time, or a long one that
 * arrives too slowly, ends with 408. Unfinished short bodies are bounded for each network, and so are bodies that
 * nobody reads.
 */
export function boundBodies(
  http: FastifyInstance,
  services: Pick<Services, 'config'>,
  patienceMs = bodySeconds * 1000,
): void {
  http.addHook('onRoute', (route) => {
    const { method, url, bodyLimit } = route;
    if (![method].flat().some((one) => bodyMethods.has(one))) return;
    if (bodyLimit === undefined) throw new Error(`${method} ${url}: declare a bodyLimit, in bytes`);
    if (bodyLimit <= defaultBodyLimit || takesPlace(route)) return;
    throw new Error(`${method} ${url}: a body above 16 KB takes a place, by \`placeBy\``);
  });
  const arriving = new ArrivingBodies();
  http.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return;
    beginPatience(request, reply, patienceMs);
    if (sizeOf(request) === 'short') arriving.watch(request);
  });
  http.addHook('onRequest', async (request) => {
    const { rateLimit } = request.routeOptions.config;
    if (rateLimit) declaredLimit(services, rateLimit)(request.ip);
  });
  http.addHook('onSend', async (request) => freeUnhandled(request));
  boundUnreadBodies(http, services.config.RATE_LIMIT_SCALE);
}
