import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '#domain/auth/contract.ts';
import { makeCalendarFeed } from '#domain/calendar/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { personalToken, program } from '#server/testing/token-things.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { lockWaiters, waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { newResetLink, requestReset } from './reset-password.ts';
import { removeCredentials } from './verify-address.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

test('R19-12: credentials that are removed include API tokens and the calendar address', async () => {
  const ada = await newOrganization(app);
  const { token } = await personalToken(ada, ['rooms:read']);
  const feed = new URL((await ada.call(makeCalendarFeed)).url).pathname;
  const statuses = async () => [
    (await program(app, token)('GET', '/api/rooms')).status,
    (await app.http.inject({ url: feed })).statusCode,
  ];
  expect(await statuses()).toEqual([200, 200]);
  await app.services.database.transaction('outside', (tx) => removeCredentials(tx, ada.user.id));
  expect(await statuses()).toEqual([401, 404]);
});

let count = 0;
const newAddress = () => `victim-${++count}@example.com`;
const password = 'known to mallory';

/** Sets up an account with another person's address, as an attacker: password, passkey, app, and session. */
async function squat(email: string) {
  const mallory = new Visitor(app);
  const names = { firstName: 'V', lastName: 'W' };
  const { id } = await mallory.call(register, { body: { email, password, ...names } });
  await app.owner.query(
    `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up)
     values (gen_random_uuid(), $1, $2, '\\x00', 0, '{}', 'Mallory', false)`,
    [id, email],
  );
  await app.owner.query(
    "insert into totp_factors (account_id, sealed_secret, confirmed_at) values ($1, 'x', now())",
    [id],
  );
  return { mallory, id };
}
const mailed = (email: string, path: string) => mailedToken(app, email, path);
async function credentials(id: string) {
  const { rows } = await app.owner.query(
    `select (select count(*) from passkeys where account_id = $1)::int as passkeys,
      (select count(*) from totp_factors where account_id = $1)::int as apps,
      (select count(*) from sessions where account_id = $1)::int as sessions,
      (select count(*) from account_devices where account_id = $1)::int as devices`,
    [id],
  );
  return rows[0];
}
const signIn = (email: string, secret = password) =>
  new Visitor(app).send('POST', '/api/login', { email, password: secret });
const follow = (token: string, visitor = new Visitor(app)) =>
  visitor.send('POST', `/api/verify-email/${token}`);

test('H2: a mailed reset that first verifies the address removes an attacker’s passkey, app, and sessions', async () => {
  const email = newAddress();
  const { mallory, id } = await squat(email);
  await new Visitor(app).send('POST', '/api/forgot-password', { email });
  const token = await mailed(email, 'reset-password');
  const body = { password: 'chosen by the owner' };
  expect(await new Visitor(app).send('POST', `/api/reset-password/${token}`, body)).toMatchObject({
    status: 200,
  });
  expect(await credentials(id)).toEqual({ passkeys: 0, apps: 0, sessions: 0, devices: 0 });
  expect(await mallory.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await signIn(email, body.password)).toMatchObject({ status: 200 });
  await sendDueMails(app.services);
  expect(app.mails.filter(({ to }) => to === email).map(({ subject }) => subject)).toContain(
    'Earlier sign-ins to your Rapport account were removed',
  );
});

test('a reset keeps the second factor of an account that is already verified', async () => {
  const email = newAddress();
  const { id } = await squat(email);
  await app.owner.query('update accounts set email_verified_at = now() where id = $1', [id]);
  await new Visitor(app).send('POST', '/api/forgot-password', { email });
  const token = await mailed(email, 'reset-password');
  await new Visitor(app).send('POST', `/api/reset-password/${token}`, { password: 'a new one' });
  expect(await credentials(id)).toMatchObject({ passkeys: 1, apps: 1, sessions: 0 });
  expect(await signIn(email, 'a new one')).toMatchObject({
    body: { code: 'second_factor_required' },
  });
});

test('a verification link followed without a session removes earlier credentials and offers a new password', async () => {
  const email = newAddress();
  const { mallory, id } = await squat(email);
  const token = await mailed(email, 'verify-email');
  expect(await new Visitor(app).send('GET', `/api/verify-email/${token}`)).toMatchObject({
    status: 200,
    body: { email, verified: false },
  });
  expect(await credentials(id)).toMatchObject({ passkeys: 1, sessions: 1 });
  const answer = await follow(token);
  expect(answer).toMatchObject({
    status: 200,
    body: { newPasswordUrl: expect.stringContaining('https://calls.example.com/reset-password/') },
  });
  expect(await credentials(id)).toEqual({ passkeys: 0, apps: 0, sessions: 0, devices: 0 });
  expect(await mallory.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await signIn(email)).toMatchObject({ status: 401 });
  const { newPasswordUrl } = answer.body as { newPasswordUrl: string };
  const path = newPasswordUrl.replace('https://calls.example.com', '/api');
  expect(await new Visitor(app).send('POST', path, { password: 'the owner’s' })).toMatchObject({
    status: 200,
  });
  expect(await signIn(email, 'the owner’s')).toMatchObject({ status: 200 });
});

test('a verification link followed in the account’s own session keeps that session and the password', async () => {
  const email = newAddress();
  const { mallory: owner, id } = await squat(email);
  await app.owner.query('delete from totp_factors where account_id = $1', [id]);
  await signIn(email);
  expect(await credentials(id)).toMatchObject({ sessions: 2 });
  const answer = await follow(await mailed(email, 'verify-email'), owner);
  expect(answer).toMatchObject({ status: 200, body: { newPasswordUrl: null } });
  expect(await owner.send('GET', '/api/user')).toMatchObject({ body: { mustVerifyEmail: false } });
  expect(await credentials(id)).toMatchObject({ passkeys: 0, sessions: 1 });
  expect(await signIn(email)).toMatchObject({ status: 200 });
});

test('a verification that removes nothing sends no mail about removed sign-ins', async () => {
  const email = newAddress();
  const owner = new Visitor(app);
  const names = { firstName: 'V', lastName: 'W' };
  await owner.call(register, { body: { email, password, ...names } });
  await follow(await mailed(email, 'verify-email'), owner);
  expect(await owner.send('GET', '/api/user')).toMatchObject({ body: { mustVerifyEmail: false } });
  const { rows } = await app.owner.query('select subject from mails where recipient = $1', [email]);
  expect(rows).toHaveLength(1);
});

test('two uses of a verification link at the same time both succeed, and one gives access', async () => {
  const email = newAddress();
  const { id } = await squat(email);
  const token = await mailed(email, 'verify-email');
  await app.owner.query('begin');
  await app.owner.query('select 1 from accounts where id = $1 for update', [id]);
  const both = Promise.all([follow(token), follow(token)]);
  await waitingForLocks(app, 2);
  await app.owner.query('commit');
  const answers = await both;
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const urls = answers.map(
    ({ body }) => (body as { newPasswordUrl: string | null }).newPasswordUrl,
  );
  expect(urls.filter((url) => url !== null)).toHaveLength(1);
});

test('a verification link followed in a session of another account works as without a session', async () => {
  const email = newAddress();
  const { id } = await squat(email);
  const other = (await squat(newAddress())).mallory;
  const answer = await follow(await mailed(email, 'verify-email'), other);
  expect(answer).toMatchObject({ status: 200, body: { newPasswordUrl: expect.any(String) } });
  expect(await credentials(id)).toMatchObject({ passkeys: 0, sessions: 0 });
  expect(await other.send('GET', '/api/user')).toMatchObject({ status: 200 });
});

test('a second use of a verification link removes nothing and gives no access', async () => {
  const email = newAddress();
  const { id } = await squat(email);
  const token = await mailed(email, 'verify-email');
  await follow(token);
  await app.owner.query(
    `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up)
     values (gen_random_uuid(), $1, 'own', '\\x00', 0, '{}', 'Own', false)`,
    [id],
  );
  expect(await follow(token)).toMatchObject({ status: 200, body: { newPasswordUrl: null } });
  expect(await credentials(id)).toMatchObject({ passkeys: 1 });
});

test.each([true, false])(
  'a link that was used (%s) verifies only the address that it was mailed to',
  async (isUsed) => {
    const email = newAddress();
    const { id } = await squat(email);
    const token = await mailed(email, 'verify-email');
    if (isUsed) {
      await follow(token);
      expect(await follow(token)).toMatchObject({ status: 200, body: { newPasswordUrl: null } });
    }
    await app.owner.query(
      'update accounts set email = $2, email_verified_at = null where id = $1',
      [id, newAddress()],
    );
    expect(await new Visitor(app).send('GET', `/api/verify-email/${token}`)).toMatchObject({
      status: 410,
    });
    expect(await follow(token)).toMatchObject({ status: 410 });
    expect(await verifiedAt(id)).toBe(null);
  },
);

test('a used verification link does not verify its address again', async () => {
  const email = newAddress();
  const { id } = await squat(email);
  const token = await mailed(email, 'verify-email');
  await follow(token);
  await app.owner.query('update accounts set email_verified_at = null where id = $1', [id]);
  expect(await follow(token)).toMatchObject({ status: 410 });
  expect(await verifiedAt(id)).toBe(null);
});

test('a verification link followed while the address moves does not verify the new address', async () => {
  const email = newAddress();
  const { id } = await squat(email);
  const token = await mailed(email, 'verify-email');
  await app.owner.query('begin');
  await app.owner.query('update accounts set email = $2 where id = $1', [id, newAddress()]);
  const following = follow(token);
  await waitingForLocks(app);
  await app.owner.query('commit');
  expect(await following).toMatchObject({ status: 410 });
  expect(await verifiedAt(id)).toBe(null);
});

test('a reset requested while the address moves is mailed to neither address', async () => {
  const { user } = await newOrganization(app);
  const resets = async () =>
    (await app.owner.query('select 1 from password_resets where account_id = $1', [user.id])).rows;
  await app.owner.query('begin');
  await app.owner.query('update accounts set email = $2, email_verified_at = null where id = $1', [
    user.id,
    newAddress(),
  ]);
  const asking = requestReset(app.services.database, user.email, 'https://a.example', true);
  await waitingForLocks(app);
  await app.owner.query('commit');
  await asking;
  expect(await resets()).toEqual([]);
});

const verifiedAt = async (id: string) =>
  (await app.owner.query('select email_verified_at as at from accounts where id = $1', [id]))
    .rows[0].at;

test.each([false, true])(
  'R8-2: a reset link that was handed over removes the factors of an account whose address is not verified (verified: %s)',
  async (isVerified) => {
    const email = newAddress();
    const { mallory, id } = await squat(email);
    if (isVerified) {
      await app.owner.query('update accounts set email_verified_at = now() where id = $1', [id]);
    }
    const url = await newResetLink(app.services.database, id, 'https://calls.example.com');
    const token = url.split('/').at(-1);
    const reset = { password: 'my own password' };
    expect(await mallory.send('POST', `/api/reset-password/${token}`, reset)).toMatchObject({
      status: 200,
    });
    const left = isVerified ? 1 : 0;
    expect(await credentials(id)).toMatchObject({ passkeys: left, apps: left, sessions: 0 });
    const { rows } = await app.owner.query(
      'select email_verified_at is not null as verified from accounts where id = $1',
      [id],
    );
    expect(rows).toEqual([{ verified: isVerified }]);
    // F6: the address is as unconfirmed as before. A confirmed account keeps its second factor.
    const signedIn = await mallory.send('POST', '/api/login', { email, ...reset });
    expect(signedIn.body).toMatchObject(
      isVerified ? { code: 'second_factor_required' } : { mustVerifyEmail: true },
    );
  },
);

test.each(['registering', 'accepting a copied link'])(
  'R23-A2: %s makes no account that counts as verified until the link is stored',
  async (how) => {
    const email = newAddress();
    const names = { firstName: 'V', lastName: 'W' };
    const { url } = await (await newOrganization(app)).call(inviteUser, {
      body: { email, role: 'AGENT' },
    });
    const path =
      how === 'registering' ? '/api/register' : `/api/invitations/${url.split('/').at(-1)}/accept`;
    await app.owner.query('begin; lock table email_verifications in share mode');
    const made = new Visitor(app).send('POST', path, { email, password, ...names });
    await expect.poll(() => lockWaiters(app)).toBe(1);
    const early = await signIn(email);
    await app.owner.query('commit');
    expect(early).toMatchObject({ status: 401 });
    expect(await made).toMatchObject({ status: 201 });
    expect(await signIn(email)).toMatchObject({ status: 200, body: { mustVerifyEmail: true } });
  },
);
