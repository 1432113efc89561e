import * as client from 'openid-client';
import { z } from 'zod';
import { DomainError, invalid } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { withLowerCaseAscii } from '#domain/text.ts';
import { exceeds } from '#server/platform/bounded-json.ts';
import type { SafeFetch } from '#server/platform/safe-fetch.ts';
import { type Asserted, type Checks, SsoRefusal } from './asserted.ts';
import { deniesDomainOwner, isOfTenant, refuseSharedIssuer } from './entra.ts';
import { type Flow, stateOf } from './flow-store.ts';
import { keptMetadata } from './issuer-metadata.ts';

export interface OidcSettings {
  orgId: OrgId;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const scope = 'openid email profile';
/** Google authenticates any address that has a Google account; `hd` names the Workspace. */
const sharedIssuer = 'https://accounts.google.com';

/**
 * Returns the configuration for an issuer, from its metadata. Its keys are fetched each time, so that a
 * rotated key works at the next sign-in.
 * @param freshly fetches the metadata again instead of using the cache
 * @throws DomainError 400 for an address that must not be reached, does not answer as an issuer, or stands
 * for many tenants
 */
export async function discover(
  settings: OidcSettings,
  fetch: SafeFetch,
  { freshly = false } = {},
): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret, orgId } = settings;
  refuseSharedIssuer(issuer);
  const ask = () => askMetadata(settings, fetch);
  const server = await (freshly ? ask() : keptMetadata(fetch, issuer, ask));
  const takes = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = takes.includes('client_secret_post')
    ? client.ClientSecretPost(clientSecret)
    : client.ClientSecretBasic(clientSecret);
  const config = new client.Configuration(server, clientId, clientSecret, authentication);
  for (const execute of extensions) execute(config);
  config[client.customFetch] = fetchBy(fetch, orgId);
  return config;
}

/** Of metadata, keys, and tokens. Those of large providers take 2 to 20 KB, and metadata is kept. */
const mostBytes = 64 * 1024;
const jsonBounds = { depth: 16, values: 2_000, names: 300 };

// The library allows only https by default. Here `fetch` decides, by the operator's list.
const extensions = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
const fetchBy =
  (fetch: SafeFetch, payer: OrgId): client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const given = { payer, method, headers, mostBytes, ...(body ? { body: String(body) } : {}) };
    const answer = await fetch(url, given);
    const text = await answer.text();
    if (exceeds(text, jsonBounds)) throw new Error('its answer holds too many values');
    const bodiless = text === '' ? null : text;
    return new Response(bodiless, { status: answer.status, headers: answer.headers });
  };

async function askMetadata(
  { issuer, clientId, clientSecret, orgId }: OidcSettings,
  fetch: SafeFetch,
): Promise<client.ServerMetadata> {
  try {
    const asked = await client.discovery(
      new URL(issuer),
      clientId,
      clientSecret,
      client.ClientSecretPost(clientSecret),
      { timeout: 10, execute: extensions, [client.customFetch]: fetchBy(fetch, orgId) },
    );
    const server = asked.serverMetadata();
    refuseSharedIssuer(server.issuer);
    refuseUnsafe(server.authorization_endpoint, issuer);
    return server;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'shared_issuer') throw error;
    const reason = reasonOf(error);
    throw invalid('issuer_failed', `${reason} Check the issuer URL.`, 'issuer');
  }
}

/** The browser is redirected there, so it must be https, or have the scheme of the issuer. */
function refuseUnsafe(endpoint: string | undefined, issuer: string): void {
  const { protocol } = new URL(endpoint ?? 'missing:');
  if (protocol === 'https:' || protocol === new URL(issuer).protocol) return;
  throw new Error('Its authorization endpoint is not https.');
}

export async function authorizationUrl(
  config: client.Configuration,
  flow: Flow,
  redirectUri: string,
  loginHint: string | null,
): Promise<string> {
  const challenge = await client.calculatePKCECodeChallenge(flow.codeVerifier ?? '');
  return client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state: stateOf(flow),
    nonce: flow.nonce ?? '',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(loginHint ? { login_hint: loginHint } : {}),
    ...(flow.purpose === 'test' ? { prompt: 'login' } : {}),
  }).href;
}

/**
 * Exchanges the code and reads the token's claims. The library checks the signature, iss, aud, azp, exp,
 * nonce, and the issuer of the response (RFC 9207).
 * @throws SsoRefusal
 */
export async function readAnswer(
  config: client.Configuration,
  flow: Flow,
  answeredAt: URL,
  checks: Checks,
): Promise<Asserted> {
  const answer = answeredAt.searchParams;
  const error = answer.get('error_description') ?? answer.get('error');
  if (error !== null) throw new SsoRefusal('answer', error);
  const tokens = await client
    .authorizationCodeGrant(config, answeredAt, {
      expectedState: stateOf(flow),
      expectedNonce: flow.nonce ?? '',
      pkceCodeVerifier: flow.codeVerifier ?? '',
      idTokenExpected: true,
    })
    .catch((failure: unknown) => {
      throw new SsoRefusal('token', reasonOf(failure));
    });
  checks.passed('answer');
  const token = tokens.claims();
  if (!token) throw new SsoRefusal('token', 'There was no ID token.');
  if (!isOfTenant(token.iss, token.tid)) {
    throw new SsoRefusal('token', 'The token is of another tenant.');
  }
  checks.passed('token');
  const claims =
    'email' in token ? token : { ...(await userInfo(config, tokens, token.sub)), ...token };
  return asserted(claims, token.iss);
}

/** The UserInfo endpoint may have the address if the ID token does not. */
async function userInfo(
  config: client.Configuration,
  tokens: { access_token: string },
  subject: string,
): Promise<Record<string, unknown>> {
  if (!config.serverMetadata().userinfo_endpoint) return {};
  return client.fetchUserInfo(config, tokens.access_token, subject).catch((failure: unknown) => {
    throw new SsoRefusal('token', reasonOf(failure));
  });
}

const text = z.string().trim().min(1).nullable().catch(null);

function asserted(claims: Record<string, unknown>, issuer: string): Asserted {
  const given = text.parse(claims.email);
  const email = given && withLowerCaseAscii(given);
  const isWorkspace = email !== null && claims.hd === email.split('@')[1];
  return {
    subject: String(claims.sub),
    email,
    // Many providers omit it, so only an explicit false counts.
    emailVerified:
      claims.email_verified !== false &&
      claims.email_verified !== 'false' &&
      !deniesDomainOwner(claims) &&
      (issuer !== sharedIssuer || isWorkspace),
    firstName: text.parse(claims.given_name),
    lastName: text.parse(claims.family_name),
    claims: Object.fromEntries(
      Object.entries(claims).map(([name, value]) => [
        name,
        [value].flat().map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))),
      ]),
    ),
  };
}

/** The library's error states the problem, and its cause the detail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It could not be read.';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}.`.replace(/\.+$/, '.');
}
