import { DomainError } from '#domain/errors.ts';
import * as contract from '#domain/two-factor/contract.ts';
import { refuseStale } from '#server/auth/confirm-self.ts';
import { countSignInTry } from '#server/auth/failed-tries.ts';
import { clearPending, isPending, pendingAccount } from '#server/auth/pending-sign-in.ts';
import { noteFailedSignIn, signIn } from '#server/auth/sign-in.ts';
import { limit } from '#server/platform/rate-limit.ts';
import {
  answer,
  publicRoute,
  type Site,
  sessionRoute,
  tenantRoute,
} from '#server/platform/route.ts';
import * as policies from './policy-store.ts';
import * as store from './store.ts';

export function twoFactorRoutes(site: Site): void {
  const { database, secrets } = site;
  const changing = limit(site, 'two_factor', 30, 600);

  publicRoute(site, contract.secondFactor, async ({ body, request, reply }) => {
    const id = pendingAccount(request);
    const account = id && (await store.findPendingAccount(database, id));
    if (!account || !isPending(secrets, request, account.passwordHash)) throw tooLate();
    const subject = { key: account.id, email: account.email };
    const tried = await countSignInTry(site, request, 'second-factor', subject);
    const by = await store.takeCode(database, secrets, account.id, body.code);
    if (!by) {
      await noteFailedSignIn(site, request, account.id, { method: 'totp', reason: 'wrong_code' });
      throw new DomainError(
        'unauthorized',
        'wrong_code',
        'This code is not right, or was used already. Please enter the one shown now.',
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
    changing(user.id);
    refuseStale(session);
    return answer(200, await store.startFactor(database, secrets, user));
  });

  sessionRoute(site, contract.confirmTwoFactor, async ({ user, session, body, request }) => {
    changing(user.id);
    refuseStale(session);
    const self = { user, address: request.ip, session };
    return answer(200, {
      recoveryCodes: await store.confirmFactor(database, secrets, self, body.code),
    });
  });

  sessionRoute(site, contract.removeTwoFactor, async ({ user, session, request }) => {
    refuseStale(session);
    await store.removeFactor(database, { user, address: request.ip });
    return answer(204, null);
  });

  sessionRoute(site, contract.renewRecoveryCodes, async ({ user, session, request }) => {
    refuseStale(session);
    const self = { user, address: request.ip };
    return answer(200, { recoveryCodes: await store.renewCodes(database, self) });
  });

  tenantRoute(site, contract.readSignInPolicy, async ({ tenant }) =>
    answer(200, await policies.readPolicy(tenant)),
  );

  tenantRoute(site, contract.updateSignInPolicy, async ({ tenant, session, body }) =>
    answer(200, await policies.updatePolicy(tenant, body.twoFactorRequired, session.isStrong)),
  );
}

const tooLate = () =>
  new DomainError(
    'unauthorized',
    'sign_in_over',
    'That took too long. Please sign in with your password again.',
  );
