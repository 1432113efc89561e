import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether PUBLIC_URL is an HTTPS address. */
    hasHttpsAddress: boolean;
  }
}

/** Makes PUBLIC_URL available to `isSecure`. */
export function decideSecureCookies(http: FastifyInstance, { PUBLIC_URL }: Config): void {
  http.decorate('hasHttpsAddress', PUBLIC_URL?.startsWith('https:') ?? false);
}

/**
 * Returns whether cookies of this request's answer are `Secure`. They always are where PUBLIC_URL
 * is https, because a proxy that is not in TRUSTED_PROXIES hides the protocol of the request.
 */
export const isSecure = (request: FastifyRequest): boolean =>
  request.server.hasHttpsAddress || request.protocol === 'https';
