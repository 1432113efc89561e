import * as auth from '#domain/auth/contract.ts';
import { DomainError } from '#domain/errors.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { answer, publicRoute, type Site, sessionRoute } from '#server/platform/route.ts';
import { clearSessionCookie, sessionToken } from '#server/platform/session-cookie.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { requestReset, resetPassword } from './reset-password.ts';
import { noteFailedSignIn, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { findAccountByEmail, registerAccount } from './store.ts';

export function authRoutes(site: Site): void {
  const { database, config, http } = site;
  const registering = limit(site, 'register', 20, 3600);
  const signingIn = limit(site, 'login', 20, 60);
  const forgetting = limit(site, 'reset', 20, 600);

  publicRoute(site, auth.register, async ({ body, request, reply }) => {
    if (config.SIGNUP === 'closed') {
      throw new DomainError(
        'forbidden',
        'signup_closed',
        'New accounts are made by invitation here. Ask your admin for one.',
      );
    }
    registering(request.ip);
    const { password, ...account } = body;
    const passwordHash = await hashPassword(password);
    const made = { ...account, orgName: account.orgName, passwordHash };
    const id = await registerAccount(database, made, request.ip);
    const how = { method: 'register' as const, twoFactors: false };
    return answer(201, await signIn(site, { request, reply }, id, how));
  });

  publicRoute(site, auth.login, async ({ body, request, reply }) => {
    signingIn(request.ip);
    const account = await findAccountByEmail(database, body.email);
    const matches = await passwordMatches(account?.passwordHash ?? null, body.password);
    const how = { method: 'password' as const, twoFactors: false };
    if (!account || !matches) {
      const reason = 'wrong_credentials';
      await noteFailedSignIn(site, request, account?.id ?? null, { method: how.method, reason });
      throw new DomainError('unauthorized', reason, 'Invalid email or password');
    }
    return answer(200, await signIn(site, { request, reply }, account.id, how));
  });

  publicRoute(site, auth.logout, async ({ request, reply }) => {
    const token = sessionToken(request);
    if (token) await signOut(database, token, request.ip);
    clearSessionCookie(request, reply);
    return answer(204, null);
  });

  sessionRoute(site, auth.currentUser, async ({ user }) => answer(200, user));
  sessionRoute(site, auth.currentAuthUser, async ({ user }) => answer(200, user));

  publicRoute(site, auth.forgotPassword, async ({ body, request }) => {
    forgetting(request.ip);
    // Not waited for: the answer takes the same time whether or not the address has an account.
    requestReset(database, body.email, publicUrl(config, request)).catch((error) =>
      site.log.error({ err: error }, 'a reset mail could not be stored'),
    );
    return answer(204, null);
  });

  publicRoute(site, auth.resetPassword, async ({ params, body, request }) => {
    forgetting(request.ip);
    await resetPassword(database, params.token, await hashPassword(body.password));
    return answer(204, null);
  });

  // The spec's redirect target for whoever is not signed in; passes `next` on (decisions.md).
  http.get<{ Querystring: { next?: unknown } }>(
    '/api/login',
    { schema: { hide: true } },
    async (request, reply) => {
      const { next } = request.query;
      // Browsers drop tabs and line breaks from an address, and would see another one than we do.
      const own = typeof next === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(next);
      return reply.redirect(own ? `/auth?next=${encodeURIComponent(next)}` : '/auth', 302);
    },
  );
}
