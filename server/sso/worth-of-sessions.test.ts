import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inviteUser } from '#domain/team/contract.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  asBegunBySso,
  Browser,
  change,
  fakeRecords,
  newSsoOrganization,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { newMember, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
let foreign: FakeProvider;
let corp: SsoOrganization;
let other: SsoOrganization;
let turns = 0;
let email: string;

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

const require = (required = true, breakGlass = [corp.admin.user.id]) =>
  corp.admin.send('PUT', '/api/sso/policy', { required, breakGlass });
const passwordOf = (visitor: Visitor, address: string) =>
  visitor.send('POST', '/api/login', { email: address, password: 'correct horse' });

async function signIn(of: SsoOrganization, provider: FakeProvider): Promise<Browser> {
  const browser = new Browser(app);
  const url = new URL(await browser.start(`x@${of.domain}`));
  provider.nonceOf(url.href);
  const query = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' });
  await browser.visit(`${of.connection.answerUrl}?${query}`);
  return browser;
}

/** An invitation that Corp sent before the other organization verified the domain of the address. */
async function invitedBefore(role: 'AGENT' | 'ORGADMIN'): Promise<string> {
  const domain = [other.domain];
  await app.owner.query('update sso_domains set verified_at = null where domain = $1', domain);
  const { url } = await corp.admin.call(inviteUser, { body: { email, role } });
  await app.owner.query('update sso_domains set verified_at = now() where domain = $1', domain);
  return /\/invite\/([\w-]+)/.exec(url)?.[1] ?? '';
}
const join = (visitor: Visitor, invitation: string) =>
  visitor.send('POST', '/api/user/membership', { invitation, leaveOrganization: true });

test('A2: a password session from a time without membership is worth nothing where single sign-on is required', async () => {
  const directory = await Directory.of(app, corp.admin, corp.domain);
  const jane = await newMember(app, corp.admin, 'AGENT');
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

test('A3: another organization’s identity provider satisfies neither required single sign-on nor two factors', async () => {
  const token = await invitedBefore('AGENT');
  await app.owner.query(
    'insert into sign_in_policies (org_id, two_factor_required_at) values ($1, now())',
    [corp.admin.user.orgId],
  );
  const browser = await signIn(other, foreign);
  await browser.user();
  const joined = await join(browser, token);
  expect(joined).toMatchObject({ status: 200, body: { mustSignIn: true } });
  expect((await browser.send('GET', '/api/user')).status).toBe(401);
});

test('A4: a callback of the former organization’s provider in flight gets no session in the next one', async () => {
  const token = await invitedBefore('ORGADMIN');
  const bob = await signIn(other, foreign);
  await bob.user();
  expect((await bob.send('GET', '/api/personal-room')).status).toBe(200);
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  // What the leaving waits for once it holds the account.
  await client.query('select 1 from rooms where org_id = $1 for update', [other.admin.user.orgId]);
  const joining = join(bob, token);
  await waitingForLocks(app, 1);
  const inFlight = signIn(other, foreign);
  await waitingForLocks(app, 2);
  await client.query('commit');
  await client.end();
  expect(await joining).toMatchObject({ status: 200 });
  const { orgId } = await (await inFlight).user();
  expect(orgId ?? null).toBe(null);
});

test('A4: a session that another organization’s provider began shows nothing of this one', async () => {
  const bob = await newMember(app, corp.admin, 'AGENT');
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
])('A1b: an answer of a provider that was %s meanwhile signs nobody in', async (_how, changed) => {
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
});

test('A6: a password sign-in in flight while single sign-on becomes required is worth nothing', async () => {
  const jane = await newMember(app, corp.admin, 'AGENT');
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from accounts where id = $1 for update', [jane.user.id]);
  const late = new Visitor(app);
  const signing = passwordOf(late, jane.user.email);
  await waitingForLocks(app, 1);
  expect((await require()).status).toBe(200);
  await client.query('commit');
  await client.end();
  await signing;
  expect((await late.send('GET', '/api/calls')).status).toBe(401);
});

test('A15: a demoted emergency admin’s password session ends with the exception', async () => {
  const second = await newMember(app, corp.admin, 'ORGADMIN');
  await require(true, [corp.admin.user.id, second.user.id]);
  expect((await second.send('GET', '/api/calls')).status).toBe(200);
  const demoted = await corp.admin.send('PUT', `/api/users/${second.user.id}/role`, {
    role: 'AGENT',
  });
  expect(demoted.status).toBe(200);
  expect((await second.send('GET', '/api/calls')).status).toBe(401);
});

test('the session in which single sign-on was required goes on without being an emergency admin’s', async () => {
  const second = await newMember(app, corp.admin, 'ORGADMIN');
  const policy = { required: true, breakGlass: [corp.admin.user.id] };
  expect((await second.send('PUT', '/api/sso/policy', policy)).status).toBe(200);
  expect((await second.send('GET', '/api/calls')).status).toBe(200);
});
