import * as auth from '#domain/auth/contract.ts';
import { answer, publicRoute, type Site, sessionOrNull, sessionRoute } from '#server/http/route.ts';
import { clearSessionCookie, sessionToken } from '#server/http/session-cookie.ts';
import { networkKey } from '#server/platform/address-key.ts';
import { ownPath } from '#server/platform/own-path.ts';
import { languageOf } from '#server/platform/page-looks.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { refuseNewAccount } from './doors.ts';
import { mayMail } from './failed-attempts.ts';
import { hashPassword } from './password.ts';
import { refuseOwnedDomain } from './refuse-owned-domain.ts';
import { requestReset, resetPassword } from './reset-password.ts';
import { signIn } from './sign-in.ts';
import { signInWithPassword } from './sign-in-with-password.ts';
import { signOut } from './sign-out.ts';
import { registerAccount } from './store.ts';
import type { EndUnproved } from './verify-as-owner.ts';
import { askToVerify, followVerification, mailVerification, verifyEmail } from './verify-email.ts';
import { warnOfCommon } from './warn-of-password.ts';

/** @param endUnproved ends a membership that the first verification of an address does not support */
export function authRoutes(site: Site, endUnproved: EndUnproved): void {
  const { database, config, http } = site;

  publicRoute(site, auth.register, async ({ body, request, reply }) => {
    refuseNewAccount(config, 'registering');
    await database.connection('outside', (at) => refuseOwnedDomain(at, body.email, null));
    const { password, ...account } = body;
    await warnOfCommon(reply, password);
    const passwordHash = await hashPassword(password, networkKey(request.ip));
    const made = { ...account, orgName: account.orgName, passwordHash };
    const { email, firstName } = body;
    const id = await registerAccount(database, made, request.ip, async (tx, id) => {
      if (!site.mail.leavesMachine) return;
      const user = { id, email, firstName, language: languageOf(request) };
      await askToVerify(tx, user, publicUrl(config, request));
    });
    const how = { method: 'register' as const, twoFactors: false };
    const proof = { passwordHash, hasSecondFactor: false };
    return answer(201, await signIn(site, { request, reply }, id, how, proof));
  });

  publicRoute(site, auth.login, async ({ body, request, reply }) =>
    answer(200, await signInWithPassword(site, { request, reply }, body)),
  );

  publicRoute(site, auth.logout, async ({ request, reply }) => {
    const token = sessionToken(request);
    if (token) await signOut(database, token, request.ip);
    clearSessionCookie(request, reply);
    return answer(204, null);
  });

  sessionRoute(site, auth.currentUser, async ({ user }) => answer(200, user));
  sessionRoute(site, auth.currentAuthUser, async ({ user }) => answer(200, user));

  publicRoute(site, auth.forgotPassword, async ({ body, request }) => {
    // Not awaited, so that the response time does not reveal whether the address has an account.
    mayMail(site, 'reset', body.email)
      .then(async (may) => {
        const url = publicUrl(config, request);
        if (may) await requestReset(database, body.email, url, site.mail.leavesMachine);
      })
      .catch((error) => site.log.error({ err: error }, 'a reset mail could not be stored'));
    return answer(204, null);
  });

  publicRoute(site, auth.resetPassword, async ({ params, body, request, reply }) => {
    await warnOfCommon(reply, body.password);
    const passwordHash = await hashPassword(body.password, networkKey(request.ip));
    const from = { address: request.ip, publicUrl: publicUrl(config, request), endUnproved };
    const email = await resetPassword(database, params.token, passwordHash, from);
    return answer(200, { email });
  });

  publicRoute(site, auth.readVerification, async ({ params }) => {
    const { email, verified } = await followVerification(database, params.token);
    return answer(200, { email, verified });
  });

  publicRoute(site, auth.verifyEmail, async ({ params, request }) => {
    const signedIn = await sessionOrNull(site, request);
    const newPasswordUrl = await verifyEmail(database, params.token, {
      address: request.ip,
      publicUrl: publicUrl(config, request),
      signedIn,
      endUnproved,
    });
    return answer(200, { newPasswordUrl });
  });

  sessionRoute(site, auth.resendVerification, async ({ user, request }) => {
    if (user.mustVerifyEmail && (await mayMail(site, 'verify', user.email))) {
      await mailVerification(database, user, publicUrl(config, request));
    }
    return answer(204, null);
  });

  // The spec's redirect target for visitors who are not signed in. Passes `next` on
  // (docs/product-decisions.md).
  http.get<{ Querystring: { next?: unknown } }>(
    '/api/login',
    { schema: { hide: true } },
    async (request, reply) => {
      const next = ownPath(request.query.next);
      return reply.redirect(next ? `/auth?next=${encodeURIComponent(next)}` : '/auth', 302);
    },
  );
}
