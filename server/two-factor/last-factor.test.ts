import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '#domain/auth/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { confirmTwoFactor, startTwoFactor } from '#domain/two-factor/contract.ts';
import { ownDomain } from '#server/testing/directory.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';

// A session counts as one of two factors for as long as its account has a second one.

let app: TestApp;
let turns = 0;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

/** A registered person with an authenticator app, and an address that is not verified. */
async function newPerson() {
  turns += 1;
  const email = `grace@last-factor-${turns}.example`;
  const visitor = new Visitor(app);
  const person = { email, password: 'long enough', firstName: 'Grace', lastName: 'Hopper' };
  const { id } = await visitor.call(register, { body: person });
  const { secret } = await visitor.call(startTwoFactor);
  const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });
  await visitor.call(confirmTwoFactor, { body: { code } });
  return Object.assign(visitor, { id, email });
}
type Person = Awaited<ReturnType<typeof newPerson>>;

const sessionsOf = async ({ id }: { id: string }) =>
  (
    await app.owner.query(
      'select array_agg(two_factors) as strong from sessions where account_id = $1',
      [id],
    )
  ).rows[0].strong;

async function joinByCopiedLink(grace: Person) {
  const { email, id } = grace;
  const corp = await newOrganization(app);
  await app.owner.query('update accounts set email_verified_at = now() where id = $1', [id]);
  await ownDomain(app, corp, email.split('@')[1] ?? '');
  const { url } = await corp.call(inviteUser, { body: { email, role: 'AGENT' } });
  const invitation = /\/invite\/([\w-]+)/.exec(url)?.[1];
  const body = { invitation, leaveOrganization: true };
  return grace.send('POST', '/api/user/membership', body);
}
async function joinByMailedLink(grace: Person) {
  const { email } = grace;
  const corp = await newOrganization(app);
  await corp.call(inviteUser, { body: { email, role: 'AGENT' } });
  const body = { invitation: await mailedToken(app, email, 'invite'), leaveOrganization: true };
  return grace.send('POST', '/api/user/membership', body);
}
const verifyAddress = async (grace: Person) =>
  grace.send('POST', `/api/verify-email/${await mailedToken(app, grace.email, 'verify-email')}`);

test.each([
  ['joining the owner of the domain', joinByCopiedLink],
  ['joining by a mailed link', joinByMailedLink],
  ['verifying the address', verifyAddress],
])(
  'G12: after %s has removed the second factor, the session that stays counts as one factor',
  async (_what, remove) => {
    const grace = await newPerson();
    expect(await sessionsOf(grace)).toEqual([true]);
    expect([200, 204]).toContain((await remove(grace)).status);
    const { rows } = await app.owner.query('select 1 from totp_factors where account_id = $1', [
      grace.id,
    ]);
    expect(rows).toEqual([]);
    expect(await sessionsOf(grace)).toEqual([false]);
  },
);

test('G12: removing a passkey weakens the session that does so once it was the last factor', async () => {
  const ada = await newOrganization(app);
  const keys = [randomUUID(), randomUUID()];
  for (const key of keys)
    await app.owner.query(
      `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up)
       values ($1, $2, $3, '\\x00', 0, '{}', 'Laptop', false)`,
      [key, ada.user.id, key],
    );
  await app.owner.query(
    "update sessions set method = 'passkey', two_factors = true where account_id = $1",
    [ada.user.id],
  );
  const remove = (key: string | undefined) => ada.send('DELETE', `/api/user/passkeys/${key}`);
  expect((await remove(keys[0])).status).toBe(204);
  expect(await sessionsOf(ada.user)).toEqual([true]);
  expect((await remove(keys[1])).status).toBe(204);
  expect(await sessionsOf(ada.user)).toEqual([false]);
});
