import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether people reach this server by HTTPS, as PUBLIC_URL says. */
    hasHttpsAddress: boolean;
  }
}

/** Lets `isSecure` know PUBLIC_URL. */
export function decideSecureCookies(http: FastifyInstance, { PUBLIC_URL }: Config): void {
  http.decorate('hasHttpsAddress', PUBLIC_URL?.startsWith('https:') ?? false);
}

/**
 * Whether a cookie set by this request's answer is `Secure`: where PUBLIC_URL is https it always is,
 * since a proxy that is not in TRUSTED_PROXIES hides how the request came.
 */
export const isSecure = (request: FastifyRequest): boolean =>
  request.server.hasHttpsAddress || request.protocol === 'https';
