import type { FastifyRequest } from 'fastify';
import { confirmSelf } from '#domain/auth/contract.ts';
import { DomainError, invalid } from '#domain/errors.ts';
import * as contract from '#domain/two-factor/contract.ts';
import { refuseStale } from '#server/auth/confirm-self.ts';
import { countSignInAttempt } from '#server/auth/failed-attempts.ts';
import type { Changing } from '#server/auth/mail-account-change.ts';
import { clearPending, isPending, pendingAccount } from '#server/auth/pending-sign-in.ts';
import { requireOwnPassword } from '#server/auth/require-own-password.ts';
import { noteFailedSignIn, signIn } from '#server/auth/sign-in.ts';
import { answer, publicRoute, type Site, sessionRoute, tenantRoute } from '#server/http/route.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import * as policies from './policy-store.ts';
import { confirmSession, refuseWithoutFactor } from './prove-again.ts';
import * as store from './store.ts';

export function twoFactorRoutes(site: Site): void {
  const { database, secrets } = site;
  const limitChanges = limit(site, 'two_factor', 30, 600);
  const changing = <U>(user: U, request: FastifyRequest) => ({
    user,
    address: request.ip,
    publicUrl: publicUrl(site.config, request),
  });

  publicRoute(site, contract.secondFactor, async ({ body, request, reply }) => {
    const id = pendingAccount(request);
    const account = id && (await store.findPendingAccount(database, id));
    if (!account || !isPending(secrets, request, account.passwordHash)) throw tooLate();
    const subject = { key: account.id, email: account.email };
    const tried = await countSignInAttempt(site, request, 'second-factor', subject);
    const by = await store.takeCode(database, secrets, changing(account, request), body.code);
    if (!by) {
      await noteFailedSignIn(site, request, account.id, { method: 'totp', reason: 'wrong_code' });
      throw new DomainError(
        'unauthorized',
        'wrong_code',
        'This code is incorrect or was already used. Please enter the current one.',
      );
    }
    await tried.succeeded();
    clearPending(request, reply);
    const how = { method: 'password' as const, twoFactors: true, by };
    const proof = { passwordHash: account.passwordHash, hasSecondFactor: true };
    return answer(200, await signIn(site, { request, reply }, account.id, how, proof));
  });

  sessionRoute(site, contract.readTwoFactor, async ({ user, session }) => {
    const factor = await store.readFactor(database, user.id);
    const enabledAt = factor.enabledAt?.toISOString() ?? null;
    return answer(200, { ...factor, enabledAt, isRequired: session.twoFactorRequired });
  });

  sessionRoute(site, contract.startTwoFactor, async ({ user, session }) => {
    limitChanges(user.id);
    refuseStale(session);
    return answer(200, await store.startFactor(database, secrets, { user, session }));
  });

  sessionRoute(site, contract.confirmTwoFactor, async ({ user, session, body, request }) => {
    limitChanges(user.id);
    refuseStale(session);
    const self = { ...changing(user, request), session };
    return answer(200, {
      recoveryCodes: await store.confirmFactor(database, secrets, self, body.code),
    });
  });

  sessionRoute(site, contract.removeTwoFactor, async ({ user, session, request }) => {
    refuseStale(session);
    await refuseWithoutFactor(database, user.id, session);
    await store.removeFactor(database, { ...changing(user, request), session });
    return answer(204, null);
  });

  sessionRoute(site, contract.renewRecoveryCodes, async ({ user, session, request }) => {
    refuseStale(session);
    await refuseWithoutFactor(database, user.id, session);
    const self = { ...changing(user, request), session };
    return answer(200, { recoveryCodes: await store.renewCodes(database, self) });
  });

  sessionRoute(site, confirmSelf, async ({ user, session, body, request }) => {
    const account = await store.findPendingAccount(database, user.id);
    const comparedHash = account?.passwordHash ?? null;
    const given = { hash: comparedHash, given: body.password, field: 'password' };
    await requireOwnPassword(site, request, { user, ...given });
    const { enabledAt } = await store.readFactor(database, user.id);
    if (enabledAt !== null) await requireCode(site, request, changing(user, request), body.code);
    const asking = { user, session, comparedHash };
    await confirmSession(database, asking, { factorShown: enabledAt !== null });
    return answer(204, null);
  });

  tenantRoute(site, contract.readSignInPolicy, async ({ tenant }) =>
    answer(200, await policies.readPolicy(tenant)),
  );

  tenantRoute(site, contract.updateSignInPolicy, async ({ tenant, session, body }) =>
    answer(200, await policies.updatePolicy(tenant, body.twoFactorRequired, session.isStrong)),
  );
}

/** @throws DomainError 400 for a missing or wrong code; 429 after too many attempts */
async function requireCode(
  site: Site,
  request: FastifyRequest,
  by: Changing,
  code: string | undefined,
): Promise<void> {
  if (!code) {
    const text = 'Enter a code of your authenticator app, or a recovery code.';
    throw invalid('second_factor_needed', text, 'code');
  }
  const { id, email } = by.user;
  const tried = await countSignInAttempt(site, request, 'second-factor', { key: id, email });
  if (!(await store.takeCode(site.database, site.secrets, by, code))) {
    throw invalid('wrong_code', 'This code is incorrect or was already used.', 'code');
  }
  await tried.succeeded();
}

const tooLate = () =>
  new DomainError(
    'unauthorized',
    'sign_in_over',
    'That took too long. Please sign in with your password again.',
  );
