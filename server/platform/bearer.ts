import type { FastifyRequest } from 'fastify';

/**
 * Returns the request's bearer token (RFC 6750, 2.1). It replaces the session's cookie, which is not read then. A
 * page of another site cannot send one, so it needs no check against forgery (CSRF).
 */
export const bearerOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
