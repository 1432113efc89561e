import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import type { Config } from '#server/config.ts';
import { bearerOf } from './bearer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts forms from other sites. */
    fromElsewhere?: boolean;
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns whether a browser's request comes from our own pages. Programs send no Origin and pass:
 * they carry only cookies that they were given on purpose.
 */
export function sameOrigin(config: Config, request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return request.headers['sec-fetch-site'] !== 'cross-site';
  const own = [`${request.protocol}://${request.host}`];
  if (config.PUBLIC_URL) own.push(new URL(config.PUBLIC_URL).origin);
  return own.includes(origin);
}

/** Refuses changes sent from pages of other sites (CSRF), and text that PostgreSQL cannot store. */
export function guardRequests(http: FastifyInstance, config: Config): void {
  http.addHook('onRequest', async (request) => {
    if (safeMethods.has(request.method) || sameOrigin(config, request)) return;
    // These routes verify the body: an identity provider has the browser post a signed message.
    if (request.routeOptions.config.fromElsewhere) return;
    if (bearerOf(request) !== undefined) return;
    throw new DomainError(
      'forbidden',
      'foreign_origin',
      'This request came from another site and was refused.',
    );
  });
  http.addHook('preValidation', async (request) => {
    if (request.body !== undefined && holdsNul(request.body)) {
      throw new DomainError('invalid', 'nul_character', 'Please remove the NUL character.');
    }
  });
}

/**
 * Returns whether the body contains U+0000, which PostgreSQL's text cannot store. Iterative,
 * because the sender chooses the depth.
 */
function holdsNul(body: unknown): boolean {
  const hasNul = (value: unknown) => typeof value === 'string' && value.includes('\0');
  const isParent = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (hasNul(body)) return true;
  const rest: unknown[] = [body];
  for (let value = rest.pop(); isParent(value); value = rest.pop()) {
    // Bytes are not stored as text, and have millions of entries.
    if (ArrayBuffer.isView(value)) continue;
    const isList = Array.isArray(value);
    if (!isList && Object.keys(value).some(hasNul)) return true;
    // Lists are not turned into entries: one may have 100,000 numbers.
    for (const inner of isList ? (value as unknown[]) : Object.values(value)) {
      if (hasNul(inner)) return true;
      if (isParent(inner)) rest.push(inner);
    }
  }
  return false;
}
