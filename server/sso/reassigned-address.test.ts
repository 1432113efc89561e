import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAuditEvents } from '#domain/audit/contract.ts';
import { openSaml } from '#server/testing/saml-sign-in.ts';
import { newSsoOrganization } from '#server/testing/sso-organization.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

// R28-A7: an address that the provider gives to another person opened the account of its former holder.

let saml: Awaited<ReturnType<typeof openSaml>>;
let email: string;
beforeAll(async () => {
  saml = await openSaml();
});
beforeEach(() => {
  email = `${randomUUID()}@acme.example`;
});
afterAll(() => saml.app.close());

/** Signs in the first or the second person to whom the provider gave the address of the test. */
const signIn = async (who: string, organization = saml.acme) => {
  const { browser } = await saml.trySignIn({
    email,
    parts: { nameId: `${who} ${email}`, attributes: { email: [email] } },
    organization,
  });
  return browser.isSignedIn;
};
const query = async (text: string, ...values: unknown[]) =>
  (await saml.app.owner.query(text, values)).rows;
const holder = async () => (await query('select id from accounts where email = $1', email))[0]?.id;
const remove = (id: string) => saml.acme.admin.send('DELETE', `/api/users/${id}`);

test('R28-A7: after a removal, another person with the address gets an account of their own', async () => {
  expect(await signIn('first')).toBe(true);
  const first = await holder();
  await query(
    `update accounts set first_name = 'Tom', last_name = 'Smith', password_hash = 'x'
    where id = $1`,
    first,
  );
  await remove(first);
  expect(await signIn('second')).toBe(true);
  expect(await holder()).not.toBe(first);
  const [former] = await query(
    `select email, password_hash, email_verified_at from accounts where id = $1`,
    first,
  );
  expect(former).toEqual({
    email: expect.stringMatching(/@deleted\.invalid$/),
    password_hash: null,
    email_verified_at: null,
  });
  expect(await query('select 1 from sessions where account_id = $1', first)).toEqual([]);
  // What they did still names them.
  const events = await saml.acme.admin.call(listAuditEvents);
  expect(events.find(({ userId }) => userId === first)?.actor).toMatchObject({
    name: 'Tom Smith',
  });
});

test('R28-A7: nor does another person get it once a directory has taken the account in again', async () => {
  await signIn('first');
  const first = await holder();
  await remove(first);
  await query(
    `insert into memberships (org_id, account_id, role) values ($1, $2, 'AGENT')`,
    saml.acme.admin.user.orgId,
    first,
  );
  expect(await signIn('second')).toBe(false);
  expect(await holder()).toBe(first);
  expect(await signIn('first')).toBe(true);
});

test('R28-A7: nor after an erasure', async () => {
  await signIn('first');
  const first = await holder();
  await saml.acme.admin.send('POST', '/api/privacy/erase', { userId: first });
  const erased = () => query('select 1 from erased_people where account_id = $1', first);
  await expect.poll(async () => (await erased()).length).toBe(1);
  expect(await signIn('second')).toBe(true);
  expect(await holder()).not.toBe(first);
});

test('the same person returns to their account', async () => {
  await signIn('first');
  const first = await holder();
  await remove(first);
  expect(await signIn('first')).toBe(true);
  expect(await holder()).toBe(first);
});

test('who has joined another organization with the address keeps the account', async () => {
  await signIn('first');
  const first = await holder();
  await remove(first);
  const other = await newOrganization(saml.app);
  const member = await newMember(saml.app, other, 'AGENT');
  await query(
    'update memberships set account_id = $1 where account_id = $2',
    first,
    member.user.id,
  );
  expect(await signIn('second')).toBe(false);
  expect(await holder()).toBe(first);
});

test('after a change of the provider its subjects say nothing about the address', async () => {
  const moved = await newSsoOrganization(saml.app, saml.dns, 'moved.example', 'saml');
  email = `${randomUUID()}@moved.example`;
  await signIn('first', moved);
  const first = await holder();
  await moved.admin.send('DELETE', `/api/users/${first}`);
  await query(
    `update sso_connections set entity_id = 'https://other.example' where id = $1`,
    moved.connection.id,
  );
  expect(await query('select 1 from former_identities where account_id = $1', first)).toEqual([]);
});
