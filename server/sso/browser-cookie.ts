import '@fastify/cookie';
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure } from '#server/platform/secure-cookies.ts';

const name = 'rapport_sso';

/** Returns the secret of the browser that begins a sign-in. Only the same browser can finish it. */
export const browserSecret = (request: FastifyRequest): string | undefined => request.cookies[name];

/** Returns the browser's secret, and sets one if there is none. Sign-ins in several tabs share it. */
export function keepBrowserSecret(request: FastifyRequest, reply: FastifyReply): string {
  const secret = browserSecret(request) ?? randomBytes(32).toString('base64url');
  reply.setCookie(name, secret, {
    path: '/',
    httpOnly: true,
    // An identity provider redirects back by top-level navigation, which sends lax cookies.
    sameSite: 'lax',
    secure: isSecure(request),
    maxAge: 900,
  });
  return secret;
}
