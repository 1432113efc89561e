import '@fastify/cookie';
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure } from '#server/platform/secure-cookies.ts';

const name = 'rapport_sso';

/** The secret of the browser that begins a sign-in, by which the same one has to finish it. */
export const browserSecret = (request: FastifyRequest): string | undefined => request.cookies[name];

/** The browser's secret; sets one where it has none. Sign-ins in several tabs share it. */
export function keepBrowserSecret(request: FastifyRequest, reply: FastifyReply): string {
  const secret = browserSecret(request) ?? randomBytes(32).toString('base64url');
  reply.setCookie(name, secret, {
    path: '/',
    httpOnly: true,
    // The way back from an identity provider is a link, with which a lax cookie comes along.
    sameSite: 'lax',
    secure: isSecure(request),
    maxAge: 900,
  });
  return secret;
}
