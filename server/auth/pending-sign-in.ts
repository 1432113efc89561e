import '@fastify/cookie';
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AccountId, accountId } from '#domain/ids.ts';
import { type Secrets, sameBytes, sign } from '#server/platform/secrets.ts';
import { isSecure } from '#server/platform/secure-cookies.ts';

/** Identifies an account that passed the password step. Valid only for the second-factor step. */
const cookie = 'rapport_pending';
const lifeSeconds = 300;

const attributes = (request: FastifyRequest) => ({
  path: '/api/login',
  httpOnly: true,
  sameSite: 'strict' as const,
  secure: isSecure(request),
});

/** Includes the password hash, so that a changed password invalidates the cookie. */
const signatureOf = (key: Buffer, id: string, until: string, passwordHash: string | null) =>
  sign(
    key,
    `${id}.${until}.${createHash('sha256')
      .update(passwordHash ?? '')
      .digest('hex')}`,
  );

export function setPending(
  secrets: Secrets,
  request: FastifyRequest,
  reply: FastifyReply,
  account: { id: AccountId; passwordHash: string | null },
): void {
  const until = String(Math.floor(Date.now() / 1000) + lifeSeconds);
  const key = secrets.key('pending-sign-in');
  const signature = signatureOf(key, account.id, until, account.passwordHash);
  const value = `${account.id}.${until}.${signature.toString('base64url')}`;
  reply.setCookie(cookie, value, { ...attributes(request), maxAge: lifeSeconds });
}

/**
 * Returns the account named by an unexpired cookie, null otherwise. The signature is not checked yet: that
 * takes its password hash.
 */
export function pendingAccount(request: FastifyRequest): AccountId | null {
  const [id, until] = (request.cookies[cookie] ?? '').split('.');
  const parsed = accountId.safeParse(id);
  return parsed.success && Number(until) * 1000 > Date.now() ? parsed.data : null;
}

export function isPending(
  secrets: Secrets,
  request: FastifyRequest,
  passwordHash: string | null,
): boolean {
  const [id = '', until = '', signature = ''] = (request.cookies[cookie] ?? '').split('.');
  const expected = signatureOf(secrets.key('pending-sign-in'), id, until, passwordHash);
  return sameBytes(expected, Buffer.from(signature, 'base64url'));
}

export function clearPending(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(cookie, attributes(request));
}
