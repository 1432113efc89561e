import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmTwoFactor, startTwoFactor } from '#domain/two-factor/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, type Reply, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const login = (email: string, visitor = new Visitor(app)) =>
  visitor.send('POST', '/api/login', { email, password: 'correct horse' });

/** Begins to sign in while `change` to the account is uncommitted, then commits the change first. */
async function overtaken(
  account: string,
  begin: () => Promise<Reply>,
  change: string,
): Promise<Reply> {
  await app.owner.query('begin');
  await app.owner.query('select 1 from accounts where id = $1 for update', [account]);
  const signingIn = begin();
  await waitingForLocks(app);
  for (const statement of [change, 'delete from sessions where account_id = $1'])
    await app.owner.query(statement, [account]);
  await app.owner.query('commit');
  return signingIn;
}

const sessionsOf = async (account: string) =>
  (await app.owner.query('select 1 from sessions where account_id = $1', [account])).rows.length;

test('a password change during a sign-in with the old password refuses the sign-in', async () => {
  const { user } = await newOrganization(app);
  const reply = await overtaken(
    user.id,
    () => login(user.email),
    'update accounts set password_hash = null where id = $1',
  );
  expect(reply).toMatchObject({ status: 401, body: { message: 'Invalid email or password' } });
  expect(reply.headers['set-cookie'] ?? '').not.toContain('rapport_session=');
  expect(await sessionsOf(user.id)).toBe(0);
});

test('turning on the second factor during a sign-in without it refuses the sign-in', async () => {
  const { user } = await newOrganization(app);
  const reply = await overtaken(
    user.id,
    () => login(user.email),
    `insert into totp_factors (account_id, sealed_secret, created_at, confirmed_at)
     values ($1, 'sealed', now(), now())`,
  );
  expect(reply.status).toBe(401);
  expect(await sessionsOf(user.id)).toBe(0);
});

test('a concurrent change that does not affect the proof lets the sign-in succeed', async () => {
  const { user } = await newOrganization(app);
  const reply = await overtaken(
    user.id,
    () => login(user.email),
    `update accounts set first_name = 'Grace' where id = $1`,
  );
  expect(reply.status).toBe(200);
  expect(await sessionsOf(user.id)).toBe(1);
});

test('turning the second factor on waits for an earlier sign-in, and ends its session', async () => {
  const ada = await newOrganization(app);
  const { secret } = await ada.call(startTwoFactor);
  const elsewhere = new Visitor(app);
  await app.owner.query('begin');
  await app.owner.query('select 1 from accounts where id = $1 for update', [ada.user.id]);
  const signingIn = login(ada.user.email, elsewhere);
  await waitingForLocks(app);
  const code = generateSync({ secret });
  const confirming = ada.call(confirmTwoFactor, { body: { code } });
  await waitingForLocks(app, 2);
  await app.owner.query('commit');
  expect((await signingIn).status).toBe(200);
  await confirming;
  expect(await elsewhere.send('GET', '/api/user')).toMatchObject({ status: 401 });
});
