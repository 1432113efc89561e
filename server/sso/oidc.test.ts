import { UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnection, readTest, testConnection } from '#domain/sso/contract.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import {
  Browser,
  change,
  fakeRecords,
  newSsoOrganization,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
let other: FakeProvider;
let acme: SsoOrganization;
let people = 0;

beforeAll(async () => {
  const reachable = readConfig({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
  const outside = { ...openOutside(reachable), txtRecords: dns.txtRecords };
  app = await openTestApp({}, { outside });
  idp = await fakeProvider();
  other = await fakeProvider();
  acme = await newSsoOrganization(app, dns, 'acme.example', 'oidc', settingsOf(idp));
});
beforeEach(() => {
  people += 1;
  const person = { sub: `sub-${people}`, email: `oidc-${people}@acme.example` };
  idp.next = { person, with: {}, sign: null };
});
afterEach(() => {
  other.next.sign = null;
});
afterAll(async () => {
  await app.close();
  await idp.close();
  await other.close();
});

const settingsOf = ({ issuer }: FakeProvider) => ({
  issuer,
  clientId: 'client',
  clientSecret: 'a secret of acme',
});

/** Goes to the provider. `back` returns from it, with an attacker's changes to the URL. */
async function begin(more: object = {}, of = acme, from = idp) {
  const browser = new Browser(app);
  const url = new URL(await browser.start(`x@${of.domain}`, more));
  from.nonceOf(url.href);
  const back = (changed: Record<string, string | null> = {}, at = of) => {
    const query = { code: 'a-code', state: url.searchParams.get('state'), ...changed };
    const given = Object.entries(query).filter(
      (pair): pair is [string, string] => pair[1] !== null,
    );
    return browser.visit(`${at.connection.answerUrl}?${new URLSearchParams(given)}`);
  };
  return { browser, url, back };
}

async function expectRefused(changed: Record<string, string | null> = {}): Promise<void> {
  const { browser, back } = await begin();
  expect(await back(changed)).toMatch(/^\/auth\?sso=/);
  expect(browser.isSignedIn).toBe(false);
}

test('a person of a verified domain signs in with PKCE, state, and nonce, and lands on next', async () => {
  Object.assign(idp.next.person, { given_name: 'Grace', family_name: 'Hopper' });
  const { browser, url, back } = await begin({ next: '/app/rooms?x=1' });
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'client',
    code_challenge_method: 'S256',
    redirect_uri: acme.connection.answerUrl,
    scope: 'openid email profile',
  });
  expect(await back()).toBe('/app/rooms?x=1');
  const { email } = idp.next.person;
  expect(await browser.user()).toMatchObject({ email, firstName: 'Grace', role: 'AGENT' });
  const { rows } = await app.owner.query(
    `select actor_kind, address, entity_id, metadata from audit_events
     where action = 'SSO_SIGNED_IN' order by id desc limit 1`,
  );
  expect(rows[0]).toEqual({
    actor_kind: 'user',
    address: '127.0.0.1',
    entity_id: acme.connection.id,
    metadata: { role: 'AGENT', joined: true },
  });
});

describe('attack 36: an OpenID response that does not match the request is refused', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const wrong: Record<string, () => Record<string, unknown>> = {
    'wrong iss': () => ({ iss: 'https://evil.example' }),
    'wrong aud': () => ({ aud: 'another-client' }),
    'a foreign azp': () => ({ aud: ['client', 'another'], azp: 'another' }),
    'wrong nonce': () => ({ nonce: 'another' }),
    'no nonce': () => ({ nonce: undefined }),
    expired: () => ({ exp: now() - 120, iat: now() - 300 }),
    'without an end': () => ({ exp: undefined }),
    'from the future': () => ({ nbf: now() + 300 }),
  };
  test.each(Object.entries(wrong))('%s', async (_name, claims) => {
    idp.next.with = claims();
    await expectRefused();
  });

  test('none: an unsigned token', async () => {
    idp.next.sign = async (claims) => new UnsecuredJWT(claims).encode();
    await expectRefused();
  });

  test('swapped keys: signed by a key of another provider', async () => {
    idp.next.sign = other.signWith;
    await expectRefused();
  });

  test('a token that was changed after it was signed', async () => {
    idp.next.sign = async (claims) => {
      const [head, , signature] = (await idp.signWith(claims)).split('.');
      const body = { ...claims, email: 'ceo@acme.example' };
      return [head, Buffer.from(JSON.stringify(body)).toString('base64url'), signature].join('.');
    };
    await expectRefused();
  });

  test('missing state, and an unknown state', async () => {
    await expectRefused({ state: null });
    await expectRefused({ state: `${acme.admin.user.orgId}.01900000-0000-7000-8000-000000000000` });
    await expectRefused({ state: 'x' });
  });

  test('code injection: a code and state of another browser', async () => {
    const { back } = await begin();
    const victim = new Browser(app);
    const theirs = await begin();
    const state = theirs.url.searchParams.get('state') ?? '';
    const landed = `${acme.connection.answerUrl}?${new URLSearchParams({ code: 'a', state })}`;
    expect(await victim.visit(landed)).toBe('/auth?sso=expired');
    expect(await back({ state })).toBe('/auth?sso=expired');
    expect(victim.isSignedIn).toBe(false);
  });

  test('the same response a second time', async () => {
    const { browser, back } = await begin();
    await back();
    expect(browser.isSignedIn).toBe(true);
    expect(await back()).toBe('/auth?sso=expired');
  });

  test('mixed-up issuer: a response that names another issuer (RFC 9207)', async () => {
    await expectRefused({ iss: other.issuer });
  });

  test('mixed-up issuer: a response that arrives at another connection', async () => {
    const second = await newSsoOrganization(app, dns, 'second.example', 'oidc', settingsOf(other));
    const { browser, back } = await begin();
    expect(await back({}, second)).toBe('/auth?sso=expired');
    expect(browser.isSignedIn).toBe(false);
  });

  test('an error response, and an unverified address', async () => {
    await expectRefused({ code: null, error: 'access_denied' });
    idp.next.with = { email_verified: false };
    await expectRefused();
    idp.next.with = { email: undefined };
    await expectRefused();
  });

  test('key rotation: a new key works at the next sign-in', async () => {
    await idp.rotate();
    const { browser, back } = await begin();
    await back();
    expect(browser.isSignedIn).toBe(true);
  });
});

test('attack 38: an email of organization A asserted by B’s identity provider', async () => {
  await newSsoOrganization(app, dns, 'victim.example', 'oidc', settingsOf(other));
  idp.next.person.email = 'ceo@victim.example';
  await expectRefused();
  const { rows } = await app.owner.query(
    `select 1 from accounts where email like '%@victim.example'`,
  );
  expect(rows).toEqual([]);
});

describe('which accounts an identity provider can sign in to', () => {
  const setEmail = (visitor: { user: { id: string } }, email: string) =>
    app.owner.query('update accounts set email = $1 where id = $2', [email, visitor.user.id]);

  test('a member with the address is linked, and keeps the role', async () => {
    const member = await newMember(app, acme.admin, 'VIEWER');
    await setEmail(member, idp.next.person.email);
    const { browser, back } = await begin();
    await back();
    expect(await browser.user()).toMatchObject({ id: member.user.id, role: 'VIEWER' });
  });

  test('an account of another organization is refused', async () => {
    const stranger = await newOrganization(app);
    await setEmail(stranger, idp.next.person.email);
    const { browser, back } = await begin();
    expect(await back()).toBe('/auth?sso=account');
    expect(browser.isSignedIn).toBe(false);
  });

  test('an account without an organization joins, and its earlier credentials are removed', async () => {
    const squatter = await newOrganization(app);
    await setEmail(squatter, idp.next.person.email);
    await app.owner.query('delete from memberships where account_id = $1', [squatter.user.id]);
    await app.owner.query('update accounts set email_verified_at = null where id = $1', [
      squatter.user.id,
    ]);
    await app.owner.query(
      `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up)
       values (gen_random_uuid(), $1, 'theirs', '', 0, '{}', 'Theirs', false)`,
      [squatter.user.id],
    );
    const { browser, back } = await begin();
    await back();
    expect(await browser.user()).toMatchObject({
      id: squatter.user.id,
      orgId: acme.admin.user.orgId,
    });
    expect((await squatter.send('GET', '/api/user')).status).toBe(401);
    const body = { email: idp.next.person.email, password: 'correct horse' };
    expect((await squatter.send('POST', '/api/login', body)).status).toBe(401);
    const { rows } = await app.owner.query('select 1 from passkeys');
    expect(rows).toEqual([]);
  });

  test('a verified account that joins loses its earlier credentials, and a mail reports it', async () => {
    const before = await newOrganization(app);
    await setEmail(before, idp.next.person.email);
    await app.owner.query('delete from memberships where account_id = $1', [before.user.id]);
    const body = { email: idp.next.person.email, password: 'correct horse' };
    await before.send('POST', '/api/login', body);
    expect(await before.send('GET', '/api/user')).toMatchObject({ status: 200 });
    const { browser, back } = await begin();
    await back();
    expect(await browser.user()).toMatchObject({ id: before.user.id });
    expect(await before.send('GET', '/api/user')).toMatchObject({ status: 401 });
    expect((await before.send('POST', '/api/login', body)).status).toBe(401);
    const { rows } = await app.owner.query('select subject from mails where recipient = $1', [
      body.email,
    ]);
    expect(rows).toContainEqual({ subject: 'Your Rapport account joined your organization' });
  });

  test('SIGNUP=closed refuses new accounts from a provider', async () => {
    const { config } = app.services;
    config.SIGNUP = 'closed';
    try {
      const { browser, back } = await begin();
      expect(await back()).toBe('/auth?sso=account');
      expect(browser.isSignedIn).toBe(false);
    } finally {
      config.SIGNUP = 'open';
    }
  });

  test.each([
    ['the account’s', true],
    ['the directory’s user name', false],
    ['an address of the directory', false],
  ])('R28-A6: a person whom the directory deactivated is refused by %s', async (by, isAccount) => {
    const gone = await newOrganization(app);
    const { email } = idp.next.person;
    if (isAccount) await setEmail(gone, email);
    await app.owner.query('delete from memberships where account_id = $1', [gone.user.id]);
    // As a directory may write it (R29-A1).
    const emails = by.startsWith('an') ? [{ value: email.toUpperCase(), primary: true }] : [];
    await app.owner.query(
      `insert into scim_users (org_id, account_id, user_name, attributes, deactivated_at)
       values ($1, $2, $3, $4, now())`,
      [
        ...[acme.admin.user.orgId, gone.user.id],
        by.includes('user name') ? email.toUpperCase() : `gone-${gone.user.id}`,
        JSON.stringify({ emails }),
      ],
    );
    const { browser, back } = await begin();
    expect(await back()).toBe('/auth?sso=account');
    expect(browser.isSignedIn).toBe(false);
  });

  test('an address that the provider reassigns to another person does not give access to the account', async () => {
    const first = await begin();
    await first.back();
    idp.next.person.sub = 'somebody new';
    expect(await (await begin()).back()).toBe('/auth?sso=account');
  });

  test('an operator’s account is refused', async () => {
    const operator = await newMember(app, acme.admin, 'SUPERADMIN');
    await setEmail(operator, idp.next.person.email);
    expect(await (await begin()).back()).toBe('/auth?sso=account');
  });

  test('two concurrent sign-ins of the same new person create one account', async () => {
    const both = await Promise.all([begin(), begin()]);
    // The token has one of the two nonces, but only the person matters in this test.
    idp.next.sign = async (claims) => idp.signWith(claims);
    for (const { url, back } of both) {
      idp.nonceOf(url.href);
      await back();
    }
    const { rows } = await app.owner.query('select 1 from accounts where email = $1', [
      idp.next.person.email,
    ]);
    expect(rows.length).toBe(1);
  });
});

test('attack 30: next leads only to pages of this site', async () => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\n/evil']) {
    const { back } = await begin({ next });
    expect(await back()).toBe('/');
    idp.next.person = { sub: `other-${next}`, email: `o${++people}@acme.example` };
  }
});

test('attack 34: an issuer or metadata URL in the internal network is refused without a request', async () => {
  const closed = await openTestApp(
    {},
    { outside: { ...openOutside(readConfig({})), txtRecords: dns.txtRecords } },
  );
  const admin = await newOrganization(closed);
  const oidc = await admin.call(createConnection, { body: { kind: 'oidc', name: 'x' } });
  const saml = await admin.call(createConnection, { body: { kind: 'saml', name: 'x' } });
  const before = idp.requests.length;
  const port = new URL(idp.issuer).port;
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', '[::1]']) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}`;
      const issuer = { ...settingsOf(idp), issuer: url, entityId: '', ssoUrl: '', certificate: '' };
      const tries = [
        [oidc.id, issuer],
        [saml.id, { metadataUrl: `${url}/metadata` }],
      ] as const;
      for (const [id, settings] of tries) {
        const reply = await admin.send(
          'PUT',
          `/api/sso/connections/${id}`,
          samlConnection(settings),
        );
        expect([url, reply.status]).toEqual([url, 400]);
      }
    }
  }
  expect(idp.requests.length).toBe(before);
  await closed.close();
});

describe('the client secret', () => {
  test('is sealed in the database, and never returned', async () => {
    const { rows } = await app.owner.query(
      'select client_secret_sealed as sealed from sso_connections where id = $1',
      [acme.connection.id],
    );
    expect(rows[0].sealed).toMatch(/^v1\./);
    const overview = await acme.admin.send('GET', '/api/sso');
    expect(JSON.stringify(overview.body)).not.toContain('a secret of acme');
    const { rows: events } = await app.owner.query('select metadata::text from audit_events');
    expect(JSON.stringify(events)).not.toContain('a secret of acme');
  });

  test('is kept if the field is empty, and not sent to another issuer', async () => {
    await change(acme, { name: 'Renamed' });
    const moved = { ...samlConnection(settingsOf(other)), clientSecret: '', enabled: true };
    const url = `/api/sso/connections/${acme.connection.id}`;
    const reply = await acme.admin.send('PUT', url, moved);
    expect(reply).toMatchObject({ status: 400, body: { code: 'secret_needed' } });
  });
});

test('the test button signs in no one and shows the claims', async () => {
  const { admin, connection } = acme;
  const run = async () => {
    // The admin's own browser, because only the browser that began can finish.
    const browser = new Browser(app);
    browser.cookie = admin.cookie;
    const begun = await admin.send('POST', `/api/sso/connections/${connection.id}/test`);
    const { id, url } = begun.body as { id: string; url: string };
    const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
    idp.nonceOf(url);
    const state = new URL(url).searchParams.get('state') ?? '';
    const path = `${connection.answerUrl}?${new URLSearchParams({ code: 'c', state })}`;
    expect(await browser.visit(path, undefined, { cookie })).toBe(`/app/settings/sso?test=${id}`);
    expect(browser.isSignedIn).toBe(false);
    return (await admin.call(readTest, { params: { id } })).result;
  };
  idp.next.person.groups = ['a', 'b'];
  const passed = await run();
  expect(passed).toMatchObject({ email: idp.next.person.email, role: 'AGENT' });
  expect(passed?.claims).toContainEqual({ name: 'groups', values: ['a', 'b'] });
  idp.next.with = { aud: 'another' };
  expect((await run())?.checks.at(-1)).toMatchObject({ name: 'token', passed: false });
  idp.next.with = { email: 'x@elsewhere.example' };
  expect((await run())?.checks.at(-1)).toMatchObject({ name: 'domain', passed: false });
  const { rows } = await app.owner.query('select 1 from accounts where email = $1', [
    idp.next.person.email,
  ]);
  expect(rows).toEqual([]);
  const begun = await admin.call(testConnection, { params: { id: connection.id } });
  expect((await admin.call(readTest, { params: { id: begun.id } })).result).toBeNull();
});

test('L4: concurrently created connections stay within the limit of fifty', async () => {
  const admin = await newOrganization(app);
  const all = await Promise.all(
    Array.from({ length: 60 }, () =>
      admin.send('POST', '/api/sso/connections', { kind: 'saml', name: 'x' }),
    ),
  );
  expect(all.filter(({ status }) => status === 201).length).toBe(50);
  expect(all.filter(({ status }) => status === 409).length).toBe(10);
});

test('starting sign-ins repeatedly does not ask the provider for its metadata again', async () => {
  const asked = () => idp.requests.filter((one) => one.includes('/.well-known/')).length;
  await new Browser(app).start('x@acme.example');
  const before = asked();
  for (let turn = 0; turn < 5; turn += 1) await new Browser(app).start('x@acme.example');
  expect(asked()).toBe(before);
});

test('R4-4: an issuer that does not answer is asked once for five sign-ins', async () => {
  const asked = () => broken.requests.filter((one) => one.includes('/.well-known/')).length;
  const said: Record<string, unknown> = {};
  const broken = await fakeProvider(said);
  const of = await newSsoOrganization(app, dns, 'broken.example', 'oidc', settingsOf(broken));
  said.issuer = 'https://other.example';
  const before = asked();
  for (let turn = 0; turn < 5; turn += 1) {
    await expect(new Browser(app).start(`x@${of.domain}`)).rejects.toThrow('issuer_failed');
  }
  expect(asked()).toBe(before + 1);
  await broken.close();
});
