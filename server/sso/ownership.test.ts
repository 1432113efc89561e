import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assignDomain, createConnection, readSso, updateConnection } from '#domain/sso/contract.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { ownDomain } from '#server/testing/directory.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import {
  Browser,
  fakeRecords,
  newSsoOrganization,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
let corp: SsoOrganization;
let turns = 0;
let email: string;

beforeAll(async () => {
  const outside = openOutside(readConfig({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' }));
  app = await openTestApp({}, { outside: { ...outside, txtRecords: dns.txtRecords } });
  idp = await fakeProvider();
  corp = await newSsoOrganization(app, dns, 'corp.example', 'oidc', settingsOf(idp));
});
beforeEach(() => {
  turns += 1;
  email = `person-${turns}@corp.example`;
  idp.next = { person: { sub: `sub-${turns}`, email }, with: {}, sign: null };
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

const settingsOf = ({ issuer }: FakeProvider) => ({
  issuer,
  clientId: 'client',
  clientSecret: 's',
});

/** Signs in by a connection, with the claims of the provider's next token. */
async function signIn(of: Pick<SsoOrganization, 'connection' | 'domain'> = corp) {
  const browser = new Browser(app);
  const url = new URL(await browser.start(`x@${of.domain}`));
  idp.nonceOf(url.href);
  const query = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' });
  const landed = await browser.visit(`${of.connection.answerUrl}?${query}`);
  return { browser, landed };
}
const one = async (sql: string, ...values: unknown[]) =>
  (await app.owner.query(sql, values)).rows[0];
const move = (id: string, address: string, isVerified: boolean) =>
  app.owner.query('update accounts set email = $2, email_verified_at = $3 where id = $1', [
    id,
    address,
    isVerified ? new Date() : null,
  ]);
const passwordOf = (address: string) =>
  new Visitor(app).send('POST', '/api/login', { email: address, password: 'correct horse' });

test('R25-A9: a provider’s address with a Kelvin sign signs in to no other mailbox', async () => {
  const kim = await newMember(app, corp.admin, 'AGENT');
  const address = `kim-${turns}@corp.example`;
  await move(kim.user.id, address, true);
  idp.next.person.email = address.replace('k', '\u212a');
  const { browser, landed } = await signIn();
  expect(landed).toMatch(/^\/auth\?sso=/);
  expect(browser.isSignedIn).toBe(false);
  idp.next.person.email = address.toUpperCase();
  expect((await signIn()).browser.isSignedIn).toBe(true);
});

describe('M7: a connection authenticates only the domains that are assigned to it', () => {
  let contractors: Pick<SsoOrganization, 'connection' | 'domain'>;
  beforeAll(async () => {
    const body = { kind: 'oidc', name: 'Contractors' };
    const { id } = await corp.admin.call(createConnection, { body });
    const settings = { ...settingsOf(idp), entityId: '', ssoUrl: '', certificate: '' };
    const connection = await corp.admin.call(updateConnection, {
      params: { id },
      body: samlConnection({ name: 'Contractors', enabled: true, ...settings }),
    });
    await ownDomain(app, corp.admin, 'contractors.example');
    contractors = { connection, domain: 'contractors.example' };
  });
  const domainNamed = async (name: string) =>
    (await corp.admin.call(readSso)).domains.find(({ domain }) => domain === name);
  const assign = async (connectionId: string | null) => {
    const params = { id: (await domainNamed('contractors.example'))?.id ?? '' };
    return corp.admin.call(assignDomain, { params, body: { connectionId } });
  };

  test('the first connection gets the domain; if there are two, an admin chooses', async () => {
    expect((await domainNamed('corp.example'))?.connectionId).toBe(corp.connection.id);
    expect((await domainNamed('contractors.example'))?.connectionId).toBe(null);
    await expect(new Browser(app).start('x@contractors.example')).rejects.toThrow(
      'no_sso_for_domain',
    );
    const { id } = contractors.connection;
    expect(await assign(id)).toMatchObject({ connectionId: id });
    expect(await one('select action from audit_events order by id desc limit 1')).toEqual({
      action: 'SSO_DOMAIN_ASSIGNED',
    });
  });

  test('the contractors’ provider cannot sign in a person of the staff’s domain', async () => {
    await assign(contractors.connection.id);
    const boss = await newMember(app, corp.admin, 'ORGADMIN');
    await move(boss.user.id, email, true);
    const { browser, landed } = await signIn(contractors);
    expect(landed).toBe('/auth?sso=domain');
    expect(browser.isSignedIn).toBe(false);
  });

  test('the contractors’ provider cannot sign in a person whose address has moved to the staff’s domain', async () => {
    await assign(contractors.connection.id);
    idp.next.person.email = `c-${turns}@contractors.example`;
    const first = await signIn(contractors);
    const { id } = await first.browser.user();
    await move(String(id), email, true);
    const again = await signIn(contractors);
    expect(again.landed).toBe('/auth?sso=domain');
    expect(again.browser.isSignedIn).toBe(false);
  });

  test('a domain cannot be assigned to a connection of another organization', async () => {
    const other = await newOrganization(app);
    const body = { kind: 'saml', name: 'Theirs' };
    const { id: connectionId } = await other.call(createConnection, { body });
    const { id } = (await domainNamed('contractors.example')) ?? {};
    const path = `/api/sso/domains/${id}`;
    expect((await corp.admin.send('PUT', path, { connectionId })).status).toBe(404);
    expect((await other.send('PUT', path, { connectionId })).status).toBe(404);
  });
});

describe('K1: credentials from before the owner’s first single sign-on', () => {
  test('end for a member whose address was never verified', async () => {
    const member = await newMember(app, corp.admin, 'AGENT');
    await move(member.user.id, email, false);
    expect((await passwordOf(email)).status).toBe(200);
    const { browser } = await signIn();
    expect(await browser.user()).toMatchObject({ id: member.user.id, mustVerifyEmail: false });
    expect((await passwordOf(email)).status).toBe(401);
    expect((await member.send('GET', '/api/user')).status).toBe(401);
  });

  test('stay for an emergency admin', async () => {
    const member = await newMember(app, corp.admin, 'ORGADMIN');
    await move(member.user.id, email, false);
    await app.owner.query('insert into sso_break_glass (org_id, account_id) values ($1, $2)', [
      corp.admin.user.orgId,
      member.user.id,
    ]);
    await signIn();
    expect((await passwordOf(email)).status).toBe(200);
  });
});

describe('H6: a verified domain belongs to its owner', () => {
  test('only the owner can invite addresses of the domain, and registering them is refused', async () => {
    const account = { email, password: 'correct horse', firstName: 'M', lastName: 'M' };
    expect(await new Visitor(app).send('POST', '/api/register', account)).toMatchObject({
      status: 403,
      body: {
        code: 'domain_owned',
        message: expect.stringContaining('Sign in through your company'),
      },
    });
    const stranger = await newOrganization(app);
    const invitation = { email, role: 'AGENT' };
    expect(await stranger.send('POST', '/api/users/invite', invitation)).toMatchObject({
      status: 403,
      body: { code: 'domain_owned' },
    });
    expect((await corp.admin.send('POST', '/api/users/invite', invitation)).status).toBe(201);
  });

  test('an unverified account in another organization does not block its owner’s sign-in', async () => {
    const squatter = await newOrganization(app);
    const { id, orgId } = squatter.user;
    await move(id, email, false);
    const { browser } = await signIn();
    expect(await browser.user()).toMatchObject({ id, orgId: corp.admin.user.orgId });
    expect((await squatter.send('GET', '/api/user')).status).toBe(401);
    expect((await passwordOf(email)).status).toBe(401);
    expect(
      await one(
        "select actor_kind, entity_id, metadata from audit_events where org_id = $1 and action = 'MEMBER_REMOVED'",
        orgId,
      ),
    ).toEqual({ actor_kind: 'system', entity_id: id, metadata: { reason: 'domain_owned' } });
  });

  test('a verified account keeps its membership in another organization', async () => {
    const elsewhere = await newOrganization(app);
    await move(elsewhere.user.id, email, true);
    expect((await signIn()).landed).toBe('/auth?sso=account');
    expect((await elsewhere.send('GET', '/api/rooms')).status).toBe(200);
    expect((await passwordOf(email)).status).toBe(200);
  });
});
