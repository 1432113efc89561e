import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalid } from '#domain/errors.ts';
import * as contract from '#domain/passkeys/contract.ts';
import { refuseStale } from '#server/auth/confirm-self.ts';
import { countAnonymousAttempt } from '#server/auth/failed-attempts.ts';
import { noteFailedSignIn, signIn } from '#server/auth/sign-in.ts';
import { answer, publicRoute, type Site, sessionRoute } from '#server/http/route.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import * as store from './store.ts';

/** Registers the passkey endpoints: discoverable WebAuthn credentials with user verification. */
export function passkeyRoutes(site: Site): void {
  const { database } = site;
  const changing = limit(site, 'passkey', 30, 600);

  sessionRoute(site, contract.listPasskeys, async ({ user }) =>
    answer(200, (await store.listPasskeys(database, user.id)).map(store.asPasskey)),
  );

  sessionRoute(site, contract.startPasskey, async ({ user, session, request }) => {
    changing(user.id);
    refuseStale(session);
    const known = await store.listPasskeys(database, user.id);
    store.refuseMore(known.length);
    const options = await generateRegistrationOptions({
      rpName: 'Rapport',
      rpID: relyingParty(site, request).rpID,
      userID: new TextEncoder().encode(user.id),
      userName: user.email,
      userDisplayName: `${user.firstName} ${user.lastName}`.trim(),
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await store.keepChallenge(database, options.challenge, user.id);
    return answer(200, { optionsJSON: { ...options } });
  });

  sessionRoute(site, contract.addPasskey, async ({ user, session, body, request }) => {
    changing(user.id);
    refuseStale(session);
    const made = await verifyRegistrationResponse({
      response: body.response,
      expectedChallenge: (challenge) => store.takeChallenge(database, challenge, user.id),
      ...expected(site, request),
      requireUserVerification: true,
    }).catch(() => null);
    if (!made?.verified) {
      throw invalid('passkey_refused', 'We couldn’t verify this passkey. Please try again.');
    }
    const { credential, credentialBackedUp } = made.registrationInfo;
    const row = await store.insertPasskey(
      database,
      { user, session, address: request.ip, publicUrl: publicUrl(site.config, request) },
      {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        name: body.name,
        backedUp: credentialBackedUp,
      },
    );
    return answer(201, store.asPasskey(row));
  });

  sessionRoute(site, contract.renamePasskey, async ({ user, session, params, body, request }) => {
    const self = { user, session, address: request.ip };
    const renamed = await store.renamePasskey(database, self, params.id, body.name);
    return answer(200, store.asPasskey(renamed));
  });

  sessionRoute(site, contract.removePasskey, async ({ user, session, params, request }) => {
    refuseStale(session);
    const self = { user, session, address: request.ip, publicUrl: publicUrl(site.config, request) };
    await store.deletePasskey(database, self, params.id);
    return answer(204, null);
  });

  publicRoute(site, contract.startPasskeySignIn, async ({ request }) => {
    const { rpID } = relyingParty(site, request);
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
    await store.keepChallenge(database, options.challenge, null);
    return answer(200, { optionsJSON: { ...options } });
  });

  publicRoute(site, contract.signInWithPasskey, async ({ body, request, reply }) => {
    const tried = await countAnonymousAttempt(site, request);
    const { response } = body;
    const found = await store.findByCredential(database, response.id);
    const checked = found && (await check(site, request, response, found));
    if (!found || !checked) {
      const how = { method: 'passkey' as const, reason: 'wrong_passkey' };
      await noteFailedSignIn(site, request, found?.accountId ?? null, how);
      throw new DomainError(
        'unauthorized',
        'wrong_passkey',
        'We don’t recognize this passkey. Sign in with your password.',
      );
    }
    await store.notePasskeyUse(database, found.id, checked.newCounter);
    await tried.succeeded();
    const how = { method: 'passkey' as const, twoFactors: true };
    const proof = { passkeyId: found.id };
    return answer(200, await signIn(site, { request, reply }, found.accountId, how, proof));
  });
}

/** Returns the origin and RP ID that passkeys are bound to: those of the public URL. */
function relyingParty(site: Site, request: FastifyRequest) {
  const { origin, hostname } = new URL(publicUrl(site.config, request));
  return { origin, rpID: hostname };
}

function expected(site: Site, request: FastifyRequest) {
  const { origin, rpID } = relyingParty(site, request);
  return { expectedOrigin: origin, expectedRPID: rpID };
}

async function check(
  site: Site,
  request: FastifyRequest,
  response: AuthenticationResponseJSON,
  found: NonNullable<Awaited<ReturnType<typeof store.findByCredential>>>,
) {
  const { credentialId, publicKey, counter } = found;
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => store.takeChallenge(site.database, challenge, null),
    ...expected(site, request),
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => null);
  return result?.verified ? result.authenticationInfo : null;
}
