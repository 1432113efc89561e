import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionDays } from '#server/auth/sessions.ts';
import { isSecure } from '../platform/secure-cookies.ts';

const name = 'rapport_session';

export const sessionToken = (request: FastifyRequest): string | undefined => request.cookies[name];

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
