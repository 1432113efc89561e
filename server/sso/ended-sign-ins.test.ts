import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '#domain/ids.ts';
import { endSessionsBut } from '#server/auth/sessions.ts';
import { openSaml } from '#server/testing/saml-sign-in.ts';
import { change } from '#server/testing/sso-organization.ts';
import { forgetFlows } from './jobs.ts';

// R27-A1: an answer of an identity provider that waited outlived the end of a membership, or of all sessions.

let saml: Awaited<ReturnType<typeof openSaml>>;
beforeAll(async () => {
  saml = await openSaml();
});
afterAll(() => saml.app.close());

/** A member who has signed in, and has another sign-in answered, but not fetched. */
async function waiting() {
  const { email } = await saml.trySignIn();
  const { browser, landed } = await saml.answer({ email });
  expect(landed).toContain('/finish?');
  return { ...(await accountOf(email)), finish: () => browser.visit(landed), browser };
}
async function accountOf(email: string) {
  const { rows } = await saml.app.owner.query('select id from accounts where email = $1', [email]);
  return { id: rows[0].id as AccountId, email };
}
type Waiting = Awaited<ReturnType<typeof waiting>>;

const send = (method: 'DELETE', path: string) => saml.acme.admin.send(method, path);
const roleOf = async ({ id }: Waiting) => {
  const { rows } = await saml.app.owner.query(
    'select role from memberships where account_id = $1',
    [id],
  );
  return rows[0]?.role;
};

const endings: [string, (member: Waiting) => Promise<unknown>, role: string | undefined][] = [
  ['is removed', ({ id }) => Promise.resolve(send('DELETE', `/api/users/${id}`)), undefined],
  [
    'is signed out everywhere',
    ({ id }) => Promise.resolve(send('DELETE', `/api/users/${id}/sessions`)),
    'AGENT',
  ],
  [
    'signs out everywhere else',
    ({ id }) =>
      saml.app.services.database.transaction('outside', (tx) =>
        endSessionsBut(tx, id, '01890000-0000-7000-8000-000000000000'),
      ),
    'AGENT',
  ],
  [
    'has their account deleted',
    ({ id }) => saml.app.owner.query('delete from accounts where id = $1', [id]),
    undefined,
  ],
];

test.each(endings)(
  'R27-A1: an answer from before a person %s signs no one in',
  async (_how, end, role) => {
    const member = await waiting();
    await end(member);
    await member.finish();
    expect(member.browser.isSignedIn).toBe(false);
    expect(await roleOf(member)).toBe(role);
  },
);

test.each(endings)(
  'R28-A1: nor if the provider knows them by another address, and the person %s',
  async (_how, end, role) => {
    const [email, renamed] = [`${randomUUID()}@acme.example`, `${randomUUID()}@acme.example`];
    const nameId = `person-${randomUUID()}`;
    const withAddress = (address: string) => ({
      parts: { nameId, attributes: { email: [address] } },
    });
    await saml.trySignIn(withAddress(email));
    const { browser, landed } = await saml.answer(withAddress(renamed));
    const member = { ...(await accountOf(email)), browser, finish: () => browser.visit(landed) };
    await end(member);
    await member.finish();
    expect(browser.isSignedIn).toBe(false);
    expect(await roleOf(member)).toBe(role);
    const { rows } = await saml.app.owner.query('select id from accounts where email = $1', [
      renamed,
    ]);
    expect(rows).toEqual([]);
  },
);

test('R28-A1: nor if their address was changed before they were removed', async () => {
  const email = `member-${randomUUID()}@acme.example`;
  // Knows them by this address only: they have not signed in yet.
  await saml.app.owner.query(
    `with made as (insert into accounts (id, email, first_name, last_name, email_verified_at)
        values (gen_random_uuid(), $1, 'A', 'B', now()) returning id)
      insert into memberships (org_id, account_id, role) select $2, id, 'AGENT' from made`,
    [email, saml.acme.admin.user.orgId],
  );
  const { browser, landed } = await saml.answer({ email });
  const { id } = await accountOf(email);
  await saml.app.owner.query('update accounts set email = $2 where id = $1', [id, `new-${email}`]);
  await send('DELETE', `/api/users/${id}`);
  await browser.visit(landed);
  expect(browser.isSignedIn).toBe(false);
});

test('R27-A1: nor does a later answer to a sign-in that began before; one that begins afterwards does', async () => {
  const { email } = await saml.trySignIn();
  const { rows } = await saml.app.owner.query('select id from accounts where email = $1', [email]);
  const began = await saml.answer({ email });
  await saml.app.owner.query('update sso_flows set asserted = null, answered_at = null');
  await send('DELETE', `/api/users/${rows[0].id}`);
  // The provider is still asked by the same browser, which has begun the sign-in.
  await saml.app.owner.query('delete from sso_assertions');
  const landed = await began.browser.visit(saml.acme.connection.answerUrl, began.form);
  await began.browser.visit(landed);
  expect(began.browser.isSignedIn).toBe(false);

  const again = await saml.trySignIn({ email });
  expect(again.browser.isSignedIn).toBe(true);
});

test('R27-A1: an older answer brings no role back that was changed since', async () => {
  const rules = { roleClaim: 'groups', roleRules: [{ value: 'admins', role: 'ORGADMIN' }] };
  await change(saml.acme, rules);
  const asAdmin = { parts: { attributes: { groups: ['admins'] } } };
  const { email } = await saml.trySignIn(asAdmin);
  const { rows } = await saml.app.owner.query('select id from accounts where email = $1', [email]);
  const { browser, landed } = await saml.answer({ email, ...asAdmin });
  const path = `/api/users/${rows[0].id}/role`;
  expect(await saml.acme.admin.send('PUT', path, { role: 'VIEWER' })).toMatchObject({
    status: 200,
  });
  await browser.visit(landed);
  expect(browser.isSignedIn).toBe(false);
  const role = async () =>
    (await saml.app.owner.query('select role from memberships where account_id = $1', [rows[0].id]))
      .rows[0]?.role;
  expect(await role()).toBe('VIEWER');
  await saml.trySignIn({ email, ...asAdmin });
  expect(await role()).toBe('ORGADMIN');
});

test('what is kept of such an end is forgotten after an hour', async () => {
  const member = await waiting();
  await send('DELETE', `/api/users/${member.id}`);
  const { owner } = saml.app;
  const count = async () => (await owner.query('select from ended_sign_ins')).rowCount;
  await forgetFlows(saml.app.services);
  expect(await count()).toBeGreaterThan(0);
  await owner.query("update ended_sign_ins set ended_at = ended_at - interval '61 minutes'");
  await forgetFlows(saml.app.services);
  expect(await count()).toBe(0);
});
