import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { currentUser } from '#domain/auth/contract.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import { readSso } from '#domain/sso/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { requireStillProved } from '#server/auth/still-proved.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { foreignKeys, providerKeys } from '#server/testing/saml-keys.ts';
import { base64, responseXml, signXml } from '#server/testing/saml-provider.ts';
import {
  asBegunBySso,
  Browser,
  change,
  fakeRecords,
  moveAddress,
  newColleague,
  newSsoOrganization,
  readRequest,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
let foreign: FakeProvider;
let corp: SsoOrganization;
let other: SsoOrganization;
let turns = 0;
let email: string;
let domainId = '';

const settingsOf = ({ issuer }: FakeProvider) => ({
  issuer,
  clientId: 'client',
  clientSecret: 's',
});

beforeAll(async () => {
  const outside = openOutside(readConfig({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' }));
  app = await openTestApp({}, { outside: { ...outside, txtRecords: dns.txtRecords } });
  idp = await fakeProvider();
  foreign = await fakeProvider();
});
beforeEach(async () => {
  turns += 1;
  corp = await newSsoOrganization(app, dns, `corp-${turns}.example`, 'oidc', settingsOf(idp));
  other = await newSsoOrganization(app, dns, `other-${turns}.example`, 'oidc', settingsOf(foreign));
  idp.next = {
    person: { sub: `sub-${turns}`, email: `jane@${corp.domain}` },
    with: {},
    sign: null,
  };
  email = `bob@${other.domain}`;
  foreign.next = { person: { sub: `sub-${turns}`, email }, with: {}, sign: null };
});
afterAll(async () => {
  await app.close();
  await idp.close();
  await foreign.close();
});

/** A transaction of the owner, which keeps what it locks until it commits. */
async function ownerTransaction(): Promise<pg.Client> {
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  return client;
}

const require = (required = true, breakGlass = [corp.admin.user.id]) =>
  corp.admin.send('PUT', '/api/sso/policy', { required, breakGlass });
const passwordOf = (visitor: Visitor, address: string) =>
  visitor.send('POST', '/api/login', { email: address, password: 'correct horse' });

async function signIn(
  of: SsoOrganization,
  provider: FakeProvider,
  browser = new Browser(app),
): Promise<Browser> {
  const url = new URL(await browser.start(`x@${of.domain}`));
  provider.nonceOf(url.href);
  const query = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' });
  await browser.visit(`${of.connection.answerUrl}?${query}`);
  return browser;
}

/** Invites an address whose domain the other organization has given up. */
async function invited(role: 'AGENT' | 'ORGADMIN'): Promise<string> {
  const { url } = await corp.admin.call(inviteUser, { body: { email, role } });
  return /\/invite\/([\w-]+)/.exec(url)?.[1] ?? '';
}
const join = (visitor: Visitor, invitation: string) =>
  visitor.send('POST', '/api/user/membership', { invitation, leaveOrganization: true });

test('A2: a password session from before a membership is invalid if the organization requires single sign-on', async () => {
  const directory = await Directory.of(app, corp.admin, corp.domain);
  const jane = await newColleague(app, corp, 'AGENT');
  const address = `jane@${corp.domain}`;
  await app.owner.query('update accounts set email = $2 where id = $1', [jane.user.id, address]);
  await require();
  const active = (value: boolean) => {
    const patch = patchOf({ op: 'replace', path: 'active', value });
    return directory.ask('PATCH', `/Users/${jane.user.id}`, patch);
  };
  const thief = new Visitor(app);
  expect((await active(false)).status).toBe(200);
  expect((await passwordOf(thief, address)).status).toBe(200);
  expect((await active(true)).status).toBe(200);
  expect((await thief.send('GET', '/api/calls')).status).toBe(401);
});

test('A3, A4: a session of one organization’s identity provider cannot join another organization', async () => {
  const bob = await newMember(app, other.admin, 'AGENT');
  await asBegunBySso(app, bob);
  email = bob.user.email;
  const token = await invited('ORGADMIN');
  expect(await join(bob, token)).toMatchObject({
    status: 403,
    body: { code: 'own_sign_in_needed' },
  });
  expect(await bob.call(currentUser)).toMatchObject({ orgId: other.admin.user.orgId });
});

test('joining an organization that requires single sign-on ends the session', async () => {
  const ben = await moveAddress(app, await newOrganization(app), corp.domain);
  email = ben.user.email;
  const token = await invited('AGENT');
  await require();
  expect(await join(ben, token)).toMatchObject({ status: 200, body: { mustSignIn: true } });
  expect((await ben.send('GET', '/api/user')).status).toBe(401);
});

test.each([
  ['its domain', () => other.admin.send('DELETE', `/api/sso/domains/${domainId}`)],
  [
    'the connection',
    () => other.admin.send('DELETE', `/api/sso/connections/${other.connection.id}`),
  ],
  ['the switch', () => change(other, { enabled: false })],
])('F7: a session of single sign-on ends with %s', async (_what, end) => {
  const bob = await signIn(other, foreign);
  expect(await bob.user()).toMatchObject({ orgId: other.admin.user.orgId });
  const { domains } = await other.admin.call(readSso);
  domainId = domains[0]?.id ?? '';
  await end();
  expect(await bob.user()).toMatchObject({ status: 401 });
  expect((await other.admin.send('GET', '/api/user')).status).toBe(200);
});

const endings = [
  ['its domain is removed', () => other.admin.send('DELETE', `/api/sso/domains/${domainId}`)],
  ['its connection is switched off', () => change(other, { enabled: false })],
] as const;
test.each(endings)('G5: a session that begins while %s ends with it', async (_what, end) => {
  const browser = await signIn(other, foreign);
  const { id } = await browser.user();
  const { domains } = await other.admin.call(readSso);
  domainId = domains[0]?.id ?? '';
  const client = await ownerTransaction();
  // The sign-in ends the browser's earlier session.
  await client.query('select 1 from sessions where account_id = $1 for update', [id]);
  const inFlight = signIn(other, foreign, browser);
  await waitingForLocks(app, 1);
  const ending = Promise.resolve(end());
  await Promise.race([ending, waitingForLocks(app, 2)]);
  await client.query('commit');
  await client.end();
  await ending;
  expect(await (await inFlight).user()).toMatchObject({ status: 401 });
});

/** The start of a session that the other organization's connection has authenticated. */
async function beginningFor(account: unknown) {
  const { rows } = await app.owner.query('select enabled_at from sso_connections where id = $1', [
    other.connection.id,
  ]);
  const ssoOrgId = other.admin.user.orgId as OrgId;
  const enabledAt = rows[0].enabled_at;
  const proof = { ssoOrgId, connectionId: other.connection.id, enabledAt, askedAt: new Date() };
  return () =>
    app.services.database.transaction(ssoOrgId, (tx) =>
      requireStillProved(tx, account as AccountId, proof),
    );
}

test('G5: no session begins once the domain of the address is not assigned to the connection', async () => {
  const begin = await beginningFor((await (await signIn(other, foreign)).user()).id);
  const { orgId } = other.admin.user;
  await app.owner.query('update sso_domains set connection_id = null where org_id = $1', [orgId]);
  await expect(begin()).rejects.toMatchObject({ status: 401 });
});

test('G11: sessions end when their connection gets another issuer or client, and not with its other settings', async () => {
  const bob = await signIn(other, foreign);
  await change(other, { name: 'Renamed', clientSecret: 'renewed', defaultRole: 'VIEWER' });
  expect(await bob.user()).toMatchObject({ email });
  await change(other, { clientId: 'another', clientSecret: 's' });
  expect(await bob.user()).toMatchObject({ status: 401 });
  foreign.next.with = { aud: 'another' };
  const again = await signIn(other, foreign);
  expect(await again.user()).toMatchObject({ email });
  await change(other, { issuer: idp.issuer, clientSecret: 's' });
  expect(await again.user()).toMatchObject({ status: 401 });
  expect((await other.admin.send('GET', '/api/user')).status).toBe(200);
});

test('G11: sessions end with another SAML entity or all its certificates, and not while it replaces them', async () => {
  const saml = await newSsoOrganization(app, dns, `saml-${turns}.example`, 'saml');
  const begun = async () => {
    const jane = await newColleague(app, saml, 'AGENT');
    await asBegunBySso(app, jane);
    return jane;
  };
  const [first, second] = [providerKeys.certificate, foreignKeys.certificate];
  const jane = await begun();
  await change(saml, { certificate: `${first}${second}`, ssoUrl: 'https://idp.example/new' });
  await change(saml, { certificate: second });
  expect((await jane.send('GET', '/api/calls')).status).toBe(200);
  await change(saml, { certificate: first });
  expect((await jane.send('GET', '/api/calls')).status).toBe(401);
  const joe = await begun();
  await change(saml, { entityId: 'https://another.example' });
  expect((await joe.send('GET', '/api/calls')).status).toBe(401);
});

test('G11: no session begins if the provider was replaced in the meantime', async () => {
  const begin = await beginningFor((await (await signIn(other, foreign)).user()).id);
  await expect(begin()).resolves.toBeUndefined();
  await change(other, { clientId: 'another', clientSecret: 's' });
  await expect(begin()).rejects.toMatchObject({ status: 401 });
});

test('A4: a provider’s callback in flight while the person leaves begins no session', async () => {
  const bob = await signIn(other, foreign);
  const { id } = await bob.user();
  const client = await ownerTransaction();
  await client.query('delete from memberships where account_id = $1', [id]);
  const inFlight = signIn(other, foreign);
  await waitingForLocks(app, 1);
  await client.query('commit');
  await client.end();
  expect((await inFlight).isSignedIn).toBe(false);
});

test('A4: a session of another organization’s provider cannot read this organization’s data', async () => {
  const bob = await newColleague(app, corp, 'AGENT');
  await asBegunBySso(app, bob);
  expect((await bob.send('GET', '/api/calls')).status).toBe(200);
  await app.owner.query('update sessions set sso_org_id = $2 where account_id = $1', [
    bob.user.id,
    other.admin.user.orgId,
  ]);
  expect((await bob.send('GET', '/api/calls')).status).toBe(401);
});

test.each([
  ['switched off', { enabled: false }],
  ['replaced', { clientId: 'another', clientSecret: 's' }],
])(
  'A1b: a response of a provider that was %s in the meantime is refused',
  async (_how, changed) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    idp.next.sign = async (claims) => {
      ask();
      await held;
      return idp.signWith(claims);
    };
    const arriving = signIn(corp, idp);
    await asked;
    await change(corp, changed);
    release();
    expect((await arriving).isSignedIn).toBe(false);
  },
);

test.each(['before', 'after'])(
  'A6: a password sign-in in flight %s single sign-on is required leaves no session (G6)',
  async (turn) => {
    const jane = await newColleague(app, corp, 'AGENT');
    const client = await ownerTransaction();
    await client.query('select 1 from accounts where id = $1 for update', [jane.user.id]);
    const late = new Visitor(app);
    const asked = [() => passwordOf(late, jane.user.email), () => require()];
    const [first, second] = turn === 'before' ? asked : asked.reverse();
    const answers = [first?.()];
    await waitingForLocks(app, 1);
    answers.push(second?.());
    await waitingForLocks(app, 2);
    await client.query('commit');
    await client.end();
    await Promise.all(answers);
    expect(await corp.admin.send('GET', '/api/sso')).toMatchObject({
      body: { policy: { required: true } },
    });
    expect((await late.send('GET', '/api/calls')).status).toBe(401);
    const sessions = 'select 1 from sessions where account_id = $1';
    expect((await app.owner.query(sessions, [jane.user.id])).rows).toEqual([]);
  },
);

test('G6: a session that the requirement refused since its member joined is gone once it is lifted', async () => {
  const directory = await Directory.of(app, corp.admin, corp.domain);
  const jane = await newColleague(app, corp, 'AGENT');
  await require();
  const active = (value: boolean) =>
    directory.ask(
      'PATCH',
      `/Users/${jane.user.id}`,
      patchOf({ op: 'replace', path: 'active', value }),
    );
  await active(false);
  const thief = new Visitor(app);
  expect((await passwordOf(thief, jane.user.email)).status).toBe(200);
  expect((await active(true)).status).toBe(200);
  expect((await require(false)).status).toBe(200);
  expect((await thief.send('GET', '/api/user')).status).toBe(401);
});

test('A15: demoting an emergency admin ends their password session', async () => {
  const second = await newColleague(app, corp, 'ORGADMIN');
  await require(true, [corp.admin.user.id, second.user.id]);
  expect((await second.send('GET', '/api/calls')).status).toBe(200);
  const demoted = await corp.admin.send('PUT', `/api/users/${second.user.id}/role`, {
    role: 'AGENT',
  });
  expect(demoted.status).toBe(200);
  expect((await second.send('GET', '/api/calls')).status).toBe(401);
});

test('the session that requires single sign-on continues, even if it is not an emergency admin’s', async () => {
  const second = await newColleague(app, corp, 'ORGADMIN');
  const policy = { required: true, breakGlass: [corp.admin.user.id] };
  expect((await second.send('PUT', '/api/sso/policy', policy)).status).toBe(200);
  expect((await second.send('GET', '/api/calls')).status).toBe(200);
});

test('G16: a session that is exempt because its admin required single sign-on ends with the role', async () => {
  const second = await newColleague(app, corp, 'ORGADMIN');
  const policy = { required: true, breakGlass: [corp.admin.user.id] };
  expect((await second.send('PUT', '/api/sso/policy', policy)).status).toBe(200);
  const role = (given: string) =>
    corp.admin.send('PUT', `/api/users/${second.user.id}/role`, { role: given });
  expect((await role('AGENT')).status).toBe(200);
  expect((await second.send('GET', '/api/calls')).status).toBe(401);
  expect((await role('ORGADMIN')).status).toBe(200);
  expect((await require(false)).status).toBe(200);
  expect((await second.send('GET', '/api/calls')).status).toBe(401);
});

test('C2: the session that required single sign-on is exempt only in that organization', async () => {
  const second = await newColleague(app, corp, 'ORGADMIN');
  const policy = { required: true, breakGlass: [corp.admin.user.id] };
  expect((await second.send('PUT', '/api/sso/policy', policy)).status).toBe(200);
  await app.owner.query('update memberships set org_id = $2 where account_id = $1', [
    second.user.id,
    other.admin.user.orgId,
  ]);
  await moveAddress(app, second, other.domain);
  expect((await second.send('GET', '/api/calls')).status).toBe(200);
  const strict = { required: true, breakGlass: [other.admin.user.id] };
  expect((await other.admin.send('PUT', '/api/sso/policy', strict)).status).toBe(200);
  expect((await second.send('GET', '/api/calls')).status).toBe(401);
});

test('C1: a stored SAML response is refused after its provider was switched off or replaced', async () => {
  const saml = await newSsoOrganization(app, dns, `saml-${turns}.example`, 'saml');
  const { connection } = saml;
  const browser = new Browser(app);
  const request = readRequest(await browser.start(`x@${saml.domain}`));
  const xml = responseXml({
    issuer: connection.entityId ?? '',
    answerUrl: connection.answerUrl,
    audience: connection.ourEntityId ?? '',
    inResponseTo: request.id,
    email: `ceo@${saml.domain}`,
  });
  const landed = await browser.visit(connection.answerUrl, {
    SAMLResponse: base64(signXml(xml)),
    RelayState: request.relayState,
  });
  expect(landed).toContain('/finish?');
  await change(saml, { ssoUrl: 'https://new-idp.example/sso' });
  await browser.visit(landed);
  expect(browser.isSignedIn).toBe(false);
});
