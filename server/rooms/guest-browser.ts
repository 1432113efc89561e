import '@fastify/cookie';
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BrowserId, browserId } from '#domain/ids.ts';
import { isSecure } from '#server/platform/secure-cookies.ts';

const name = 'rapport_guest';
/** As long as the token of a running call. */
const rememberedSeconds = 12 * 60 * 60;

/**
 * Returns the id of a guest's browser, which a cookie keeps for half a day. The id contains no
 * other information. A browser without cookies gets a new id each time.
 */
export function guestBrowser(request: FastifyRequest, reply: FastifyReply): BrowserId {
  const known = browserId.safeParse(request.cookies[name]).data ?? browserId.parse(randomUUID());
  reply.setCookie(name, known, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(request),
    maxAge: rememberedSeconds,
  });
  return known;
}
