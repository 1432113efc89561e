import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionDays } from '#server/auth/sessions.ts';
import { bearerOf } from '../platform/bearer.ts';
import { isSecure } from '../platform/secure-cookies.ts';

const name = 'rapport_session';

/** Returns the token of the session's cookie. A bearer token replaces it. */
export const sessionToken = (request: FastifyRequest): string | undefined =>
  bearerOf(request) === undefined ? request.cookies[name] : undefined;

const attributes = (request: FastifyRequest) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isSecure(request),
});

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string) {
  reply.setCookie(name, token, { ...attributes(request), maxAge: sessionDays * 86_400 });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply) {
  reply.clearCookie(name, attributes(request));
}
