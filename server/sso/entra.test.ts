import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnection } from '#domain/sso/contract.ts';
import { openOutside } from '#server/platform/outside.ts';
import type { SafeFetch } from '#server/platform/safe-fetch.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import {
  Browser,
  fakeRecords,
  newSsoOrganization,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { newOrganization } from '#server/testing/visitor.ts';

const entra = 'https://login.microsoftonline.com';
const tid = '72f988bf-86f1-41af-91ab-2d7cd011db47';
const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
/** The issuer that the fake Microsoft provider returns; null for the URL of the request. */
let namedIssuer: string | null = null;

/** Routes requests for Microsoft's URLs to a test provider. */
const fetchOf =
  (real: SafeFetch): SafeFetch =>
  async (url, options) => {
    if (!url.startsWith(entra)) return real(url, options);
    const [, base = ''] = /^(.*?)(?=\/\.well-known|\/jwks|\/token)/.exec(url) ?? [];
    const path = url.slice(base.length);
    const answer = await fetch(`${idp.issuer}${path}`, options);
    const text = (await answer.text()).replaceAll(idp.issuer, namedIssuer ?? base);
    return new Response(text, answer);
  };

beforeAll(async () => {
  app = await openTestApp();
  const real = openOutside(app.services.config);
  app.services.outside.fetch = fetchOf(real.fetch);
  app.services.outside.txtRecords = dns.txtRecords;
  idp = await fakeProvider();
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

const settingsOf = (issuer: string) => ({
  issuer,
  clientId: 'client',
  clientSecret: 'a secret',
});
const oidcBody = (issuer: string) =>
  samlConnection({ ...settingsOf(issuer), entityId: '', ssoUrl: '', certificate: '' });

/** Signs in with these claims in addition to the usual ones. */
async function signIn(of: SsoOrganization, claims: Record<string, unknown>) {
  const browser = new Browser(app);
  const url = new URL(await browser.start(`x@${of.domain}`));
  idp.nonceOf(url.href);
  idp.next.with = claims;
  const query = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' });
  const landed = await browser.visit(`${of.connection.answerUrl}?${query}`);
  return { landed, isSignedIn: browser.isSignedIn };
}

describe('M6: a Microsoft issuer that stands for many tenants is refused', () => {
  test.each([
    `${entra}/common/v2.0`,
    `${entra}/organizations/v2.0`,
    `${entra}/Consumers/v2.0`,
    `${entra}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`,
    'https://login.microsoftonline.us/common/v2.0',
    'https://sts.windows.net/common',
    `${entra}/{tenantid}/v2.0`,
  ])('when the connection is saved: %s', async (issuer) => {
    const admin = await newOrganization(app);
    const { id } = await admin.call(createConnection, { body: { kind: 'oidc', name: 'Entra' } });
    const said = await admin.send('PUT', `/api/sso/connections/${id}`, oidcBody(issuer));
    expect(said).toMatchObject({
      status: 400,
      body: { code: 'shared_issuer', errors: [{ path: 'issuer' }] },
    });
  });

  test('when its metadata names many tenants, regardless of its URL', async () => {
    const admin = await newOrganization(app);
    const { id } = await admin.call(createConnection, { body: { kind: 'oidc', name: 'Entra' } });
    namedIssuer = `${entra}/{tenantid}/v2.0`;
    const body = oidcBody(`${entra}/${tid}/v2.0`);
    const said = await admin.send('PUT', `/api/sso/connections/${id}`, body);
    namedIssuer = null;
    expect(said).toMatchObject({ status: 400, body: { code: 'shared_issuer' } });
  });

  test('at sign-in, if the connection was saved earlier', async () => {
    const issuer = `${entra}/${tid}/v2.0`;
    const of = await newSsoOrganization(app, dns, 'old.example', 'oidc', settingsOf(issuer));
    await app.owner.query('update sso_connections set issuer = $1 where id = $2', [
      `${entra}/common/v2.0`,
      of.connection.id,
    ]);
    await expect(new Browser(app).start('x@old.example')).rejects.toThrow('shared_issuer');
  });
});

describe('M6: a connection pinned to one Microsoft tenant', () => {
  const issuer = `${entra}/${tid}/v2.0`;
  let of: SsoOrganization;
  beforeAll(async () => {
    of = await newSsoOrganization(app, dns, 'pinned.example', 'oidc', settingsOf(issuer));
    idp.next.person = { sub: 'ada', email: 'ada@pinned.example' };
  });

  test('accepts a token of that tenant', async () => {
    expect(await signIn(of, { iss: issuer, tid })).toEqual({ landed: '/', isSignedIn: true });
    const owned = { iss: issuer, tid, xms_edov: '1' };
    expect(await signIn(of, owned)).toMatchObject({ isSignedIn: true });
  });

  test.each([
    ['of another tenant', { tid: '11111111-86f1-41af-91ab-2d7cd011db47' }],
    ['of no tenant', { tid: undefined }],
    ['with an address that is not verified', { tid, email_verified: false }],
    ['with an address whose domain the tenant does not own', { tid, xms_edov: false }],
    ['the same as a text', { tid, xms_edov: '0' }],
  ])('refuses a token %s', async (_name, claims) => {
    const { isSignedIn } = await signIn(of, { iss: issuer, ...claims });
    expect(isSignedIn).toBe(false);
  });
});
