import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedInUser, SignInMethod } from '#domain/auth/contract.ts';
import { DomainError } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import { sessionToken, setSessionCookie } from '#server/http/session-cookie.ts';
import { setLanguageCookie } from '#server/platform/page-looks.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import type { Services } from '#server/services.ts';
import { deviceOf, noteDevice } from './device.ts';
import { mailNewDevice } from './mail-new-device.ts';
import { endSessionOf, findSession, insertSession } from './sessions.ts';
import { mustUseSso } from './sso-requirement.ts';
import { type Proof, requireStillProved } from './still-proved.ts';
import { findUser } from './store.ts';
import { writeAsAccount } from './write-as-account.ts';

/** The request that signs in, and the reply that carries the cookies. */
export interface Arrival {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Completes every sign-in method after authentication: ends the browser's previous session, begins a new one,
 * records an audit event, mails about a device that is new to the account, and sets the cookies. Returns the
 * user as `GET /api/user` does.
 * @param how the proof; `twoFactors` if it had two factors, or counts as two
 * @param proof what must still hold when the session begins
 */
export async function signIn(
  services: Services,
  { request, reply }: Arrival,
  account: AccountId,
  how: { method: SignInMethod; twoFactors: boolean; by?: 'totp' | 'recovery-code' },
  proof: Proof,
): Promise<SignedInUser> {
  const { database, config, secrets, log } = services;
  const ssoOrgId = 'ssoOrgId' in proof ? proof.ssoOrgId : null;
  if (ssoOrgId === null) await refuseWhereSsoIsRequired(services, request, account, how.method);
  const user = await findUser(database, account);
  if (!user) throw gone();
  const before = sessionToken(request);
  const device = deviceOf(secrets, request, reply);
  const at = new Date();
  const happened = { action: 'SIGNED_IN' as const, metadata: { ...how } };
  const self = { user, address: request.ip, session: null };
  const token = await writeAsAccount(database, self, happened, async (tx) => {
    await requireStillProved(tx, account, proof);
    if (before) await endSessionOf(tx, before);
    if (await noteDevice(tx, account, device)) {
      const url = `${publicUrl(config, request)}/app/settings/profile`;
      await mailNewDevice(tx, user, device, { at, address: request.ip, url });
    }
    const userAgent = request.headers['user-agent'];
    const from = { at, address: request.ip, userAgent, device };
    return insertSession(tx, account, { ...how, ssoOrgId, ...from });
  });
  if (user.orgId === null)
    log.info({ accountId: account, ...how }, 'signed in, in no organization');
  setSessionCookie(request, reply, token);
  if (user.language) setLanguageCookie(request, reply, user.language);
  const found = await findSession(database, token);
  if (found) return found.user;
  // Single sign-on came to be required meanwhile, or the account is gone: the session must not come back.
  await database.transaction('outside', (tx) => endSessionOf(tx, token));
  throw gone();
}

/** @throws DomainError 403 if the organization requires single sign-on */
async function refuseWhereSsoIsRequired(
  services: Services,
  request: FastifyRequest,
  account: AccountId,
  method: SignInMethod,
): Promise<void> {
  if (!(await mustUseSso(services.database, account))) return;
  await noteFailedSignIn(services, request, account, { method, reason: 'sso_required' });
  throw new DomainError(
    'forbidden',
    'sso_required',
    'Your organization uses single sign-on. Choose “Use single sign-on”.',
  );
}

/** The account was deleted concurrently. */
const gone = () =>
  new DomainError('unauthorized', 'wrong_credentials', 'Invalid email or password');

/**
 * Records a failed attempt in the audit log of the account's organization. An attempt without an account, or
 * on an account without an organization, is only in the program's log.
 */
export async function noteFailedSignIn(
  { database, log }: Services,
  request: FastifyRequest,
  account: AccountId | null,
  how: { method: SignInMethod | 'totp'; reason: string },
): Promise<void> {
  const user = account && (await findUser(database, account));
  if (user && user.orgId !== null) {
    const self = { user, address: request.ip, session: null };
    const happened = { action: 'SIGN_IN_FAILED' as const, metadata: how };
    await writeAsAccount(database, self, happened, async () => undefined);
  }
  log.info({ accountId: account, reqId: request.id, ...how }, 'a sign-in failed');
}
