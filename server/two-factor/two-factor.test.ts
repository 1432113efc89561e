import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  confirmTwoFactor,
  readTwoFactor,
  removeTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
  updateSignInPolicy,
} from '#domain/two-factor/contract.ts';
import { unlock } from '#server/operator/unlock.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { asBegunBySso } from '#server/testing/sso-organization.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

const stepSeconds = 30;
let app: TestApp;
beforeAll(async () => {
  // The code of the step before is refused once the next step has begun, so the clock stands still within one.
  const ofStep = Date.now() % (stepSeconds * 1000);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ofStep });
  app = await openTestApp();
});
afterAll(async () => {
  await app.close();
  vi.useRealTimers();
});

type Person = Awaited<ReturnType<typeof newOrganization>>;
/** Returns the app's code `steps` from now. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * stepSeconds });

async function turnOn(person: Person) {
  const { secret, uri } = await person.call(startTwoFactor);
  const body = { code: codeOf(secret, -1) };
  const { recoveryCodes } = await person.call(confirmTwoFactor, { body });
  return { secret, uri, recoveryCodes };
}
const password = async (email: string, visitor = new Visitor(app)) => {
  const reply = await visitor.send('POST', '/api/login', { email, password: 'correct horse' });
  return Object.assign(visitor, { reply });
};
const second = (visitor: Visitor, code: unknown) =>
  visitor.send('POST', '/api/login/second-factor', { code });
const lastActions = async ({ user }: Person, count: number) =>
  (
    await app.owner.query(
      'select action from audit_events where org_id = $1 order by id desc limit $2',
      [user.orgId, count],
    )
  ).rows.map(({ action }) => action);

test('with a second factor, the password alone gives no access, and a code of the app does', async () => {
  const ada = await newOrganization(app);
  const { secret, uri, recoveryCodes } = await turnOn(ada);
  expect(uri).toContain(`secret=${secret}`);
  expect(decodeURIComponent(uri)).toContain(`Rapport:${ada.user.email}`);
  expect(new Set(recoveryCodes).size).toBe(10);
  const visitor = await password(ada.user.email);
  expect(visitor.reply).toMatchObject({ status: 401, body: { code: 'second_factor_required' } });
  expect(visitor.cookie).toBe('');
  expect(await visitor.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await second(visitor, '000000')).toMatchObject({
    status: 401,
    body: { code: 'wrong_code' },
  });
  const reply = await second(visitor, codeOf(secret));
  expect(reply).toMatchObject({ status: 200, body: { id: ada.user.id } });
  expect(await visitor.send('GET', '/api/user')).toMatchObject({ status: 200 });
  expect(await lastActions(ada, 3)).toEqual(['SIGNED_IN', 'SIGN_IN_FAILED', 'TWO_FACTOR_ENABLED']);
});

test('a code that was accepted, and any earlier one, is refused', async () => {
  const ada = await newOrganization(app);
  const { secret } = await turnOn(ada);
  const code = codeOf(secret);
  expect(await second(await password(ada.user.email), code)).toMatchObject({ status: 200 });
  for (const again of [code, codeOf(secret, -1)]) {
    expect(await second(await password(ada.user.email), again)).toMatchObject({ status: 401 });
  }
});

test('a recovery code signs in once; of five concurrent attempts one succeeds', async () => {
  const ada = await newOrganization(app);
  const { recoveryCodes } = await turnOn(ada);
  const [first = '', other = ''] = recoveryCodes;
  const visitors = await Promise.all(Array.from({ length: 5 }, () => password(ada.user.email)));
  const replies = await Promise.all(visitors.map((visitor) => second(visitor, first)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(4).fill(401)]);
  const typed = other.toLowerCase().replaceAll('-', ' ');
  const signedIn = await password(ada.user.email);
  expect(await second(signedIn, typed)).toMatchObject({ status: 200 });
  expect(await signedIn.call(readTwoFactor)).toMatchObject({ recoveryCodesLeft: 8 });
  const proof = { password: 'correct horse', code: recoveryCodes[2] };
  expect((await signedIn.send('POST', '/api/user/confirm', proof)).status).toBe(204);
  const { recoveryCodes: renewed } = await signedIn.call(renewRecoveryCodes);
  expect(await second(await password(ada.user.email), recoveryCodes[3])).toMatchObject({
    status: 401,
  });
  expect(await second(await password(ada.user.email), renewed[3])).toMatchObject({ status: 200 });
});

test('turning the second factor on ends the other sessions; after turning it off, the password alone signs in', async () => {
  const ada = await newOrganization(app);
  const other = await password(ada.user.email);
  await turnOn(ada);
  expect(await other.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 200 });
  await ada.call(removeTwoFactor);
  expect((await password(ada.user.email)).reply.status).toBe(200);
});

test('R8-5: after turning the second factor off, no session counts as one of two factors', async () => {
  const ada = await newOrganization(app);
  await turnOn(ada);
  const strong = async () =>
    (
      await app.owner.query('select method, two_factors from sessions where account_id = $1', [
        ada.user.id,
      ])
    ).rows;
  expect(await strong()).toEqual([{ method: 'register', two_factors: true }]);
  await ada.call(removeTwoFactor);
  expect(await strong()).toEqual([{ method: 'register', two_factors: false }]);
});

test('changes require re-authentication within the last ten minutes', async () => {
  const ada = await newOrganization(app);
  await app.owner.query(
    "update sessions set confirmed_at = now() - interval '11 minutes' where account_id = $1",
    [ada.user.id],
  );
  for (const [method, path] of [
    ['POST', '/api/user/two-factor'],
    ['DELETE', '/api/user/two-factor'],
    ['POST', '/api/user/two-factor/recovery-codes'],
    ['POST', '/api/user/passkeys/options'],
  ] as const) {
    expect(await ada.send(method, path)).toMatchObject({
      status: 403,
      body: { code: 'confirmation_needed' },
    });
  }
  const confirm = (given: string) => ada.send('POST', '/api/user/confirm', { password: given });
  expect(await confirm('not it')).toMatchObject({ status: 400, body: { code: 'wrong_password' } });
  expect(await confirm('correct horse')).toMatchObject({ status: 204 });
  await turnOn(ada);
});

test('with a second factor, turning it off and renewing its codes require a code, not only cookie and password', async () => {
  const ada = await newOrganization(app);
  const { secret } = await turnOn(ada);
  // This session signed in with both factors, but its cookie may have been stolen since.
  const thief = await password(ada.user.email);
  expect((await second(thief, codeOf(secret))).status).toBe(200);
  const confirm = (body: object) => thief.send('POST', '/api/user/confirm', body);
  const attempts = [
    ['DELETE', '/api/user/two-factor'],
    ['POST', '/api/user/two-factor/recovery-codes'],
  ] as const;
  const refused = async () => {
    for (const [method, path] of attempts)
      expect(await thief.send(method, path)).toMatchObject({
        status: 403,
        body: { code: 'confirmation_needed' },
      });
  };
  await refused();
  expect(await confirm({ password: 'correct horse' })).toMatchObject({
    status: 400,
    body: { code: 'second_factor_needed', errors: [{ path: 'code' }] },
  });
  for (const code of ['000000', codeOf(secret)])
    expect(await confirm({ password: 'correct horse', code })).toMatchObject({
      status: 400,
      body: { code: 'wrong_code' },
    });
  await refused();
  expect(await thief.call(readTwoFactor)).toMatchObject({ recoveryCodesLeft: 10 });
  const fresh = { password: 'correct horse', code: codeOf(secret, 1) };
  expect(await confirm(fresh)).toMatchObject({ status: 204 });
  await thief.call(removeTwoFactor);
});

test('with a second factor, adding a passkey requires a code', async () => {
  const ada = await newOrganization(app);
  const { recoveryCodes } = await turnOn(ada);
  await app.owner.query(
    "update sessions set confirmed_at = now() - interval '11 minutes' where account_id = $1",
    [ada.user.id],
  );
  const confirm = (body: object) => ada.send('POST', '/api/user/confirm', body);
  await confirm({ password: 'correct horse' });
  const options = () => ada.send('POST', '/api/user/passkeys/options');
  expect(await options()).toMatchObject({ status: 403, body: { code: 'confirmation_needed' } });
  await confirm({ password: 'correct horse', code: recoveryCodes[0] });
  expect((await options()).status).toBe(200);
});

test('wrong codes at re-authentication are throttled like those at sign-in', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  const ada = await newOrganization(strict);
  const { secret } = await ada.call(startTwoFactor);
  await ada.call(confirmTwoFactor, { body: { code: codeOf(secret) } });
  ada.others.clear();
  const statuses = [];
  for (let turn = 0; turn < 7; turn += 1) {
    const body = { password: 'correct horse', code: '000000' };
    statuses.push((await ada.send('POST', '/api/user/confirm', body)).status);
  }
  expect(statuses).toContain(429);
  await strict.close();
});

test('secrets are stored sealed, and codes hashed', async () => {
  const ada = await newOrganization(app);
  const { secret, recoveryCodes } = await turnOn(ada);
  const { rows } = await app.owner.query(
    `select f.sealed_secret, array_agg(encode(c.code_hash, 'escape')) as codes from totp_factors f
      join recovery_codes c using (account_id) where account_id = $1 group by 1`,
    [ada.user.id],
  );
  expect(rows[0].sealed_secret).toMatch(/^v1\./);
  for (const kept of [secret, ...recoveryCodes, ...recoveryCodes.map((c) => c.replaceAll('-', ''))])
    expect(JSON.stringify(rows)).not.toContain(kept);
});

test('the second step is throttled like the first, until the operator unlocks the account', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  const ada = await newOrganization(strict);
  const { secret } = await ada.call(startTwoFactor);
  await ada.call(confirmTwoFactor, { body: { code: codeOf(secret, -1) } });
  const thief = await password(ada.user.email, new Visitor(strict));
  const statuses = [];
  for (let turn = 0; turn < 6; turn += 1) statuses.push((await second(thief, '000000')).status);
  expect(statuses).toEqual([...Array(5).fill(401), 429]);
  // The wait of a second must not end before the operator ends it.
  await strict.owner.query(
    `update failed_tries set free_at = now() + interval '1 hour' where free_at <> '-infinity'`,
  );
  expect((await second(thief, codeOf(secret))).status).toBe(429);
  await unlock(strict.services.database, ada.user.email);
  expect(await second(thief, codeOf(secret))).toMatchObject({ status: 200 });
  await strict.close();
});

test('a pending sign-in is refused if it is forged, expired, or the password has changed', async () => {
  const ada = await newOrganization(app);
  const { secret } = await turnOn(ada);
  const visitor = await password(ada.user.email);
  const pending = visitor.others.get('rapport_pending') ?? '';
  const [id, until, signature] = pending.split('.');
  for (const forged of ['', `${id}.${Number(until) + 9}.${signature}`, `${id}.${until}.AAAA`]) {
    visitor.others.set('rapport_pending', forged);
    expect(await second(visitor, codeOf(secret))).toMatchObject({
      status: 401,
      body: { code: 'sign_in_over' },
    });
  }
  visitor.others.set('rapport_pending', pending);
  await app.owner.query("update accounts set password_hash = 'another' where id = $1", [
    ada.user.id,
  ]);
  expect(await second(visitor, codeOf(secret))).toMatchObject({ body: { code: 'sign_in_over' } });
});

test('an organization that requires a second factor refuses members without one everything but its setup', async () => {
  const ada = await newOrganization(app);
  const agent = await newMember(app, ada, 'AGENT');
  const require = (twoFactorRequired: boolean) =>
    ada.send('PUT', '/api/sign-in-policy', { twoFactorRequired });
  expect(await require(true)).toMatchObject({
    status: 409,
    body: { code: 'own_second_factor_first' },
  });
  await turnOn(ada);
  expect(await require(true)).toMatchObject({
    status: 200,
    body: { twoFactorRequired: true, membersWithout: 1 },
  });
  const refused = { status: 403, body: { code: 'two_factor_required' } };
  for (const path of [
    '/api/rooms',
    '/api/users',
    '/api/calls',
    `/api/organizations/${ada.user.orgId}`,
  ])
    expect(await agent.send('GET', path)).toMatchObject(refused);
  expect(await agent.send('POST', '/api/rooms', { topic: 'No' })).toMatchObject(refused);
  expect(await agent.send('GET', '/api/user')).toMatchObject({
    body: { mustSetUpTwoFactor: true },
  });
  expect(await agent.call(readTwoFactor)).toMatchObject({ isRequired: true });
  await turnOn(agent);
  expect(await agent.send('GET', '/api/rooms')).toMatchObject({ status: 200 });
  expect(await ada.call(updateSignInPolicy, { body: { twoFactorRequired: false } })).toMatchObject({
    twoFactorRequired: false,
  });
  expect((await lastActions(ada, 1))[0]).toBe('SIGN_IN_POLICY_UPDATED');
});

test('a session from an identity provider satisfies a required second factor', async () => {
  const ada = await newOrganization(app);
  await turnOn(ada);
  await ada.call(updateSignInPolicy, { body: { twoFactorRequired: true } });
  const agent = await newMember(app, ada, 'AGENT');
  expect(await agent.send('GET', '/api/rooms')).toMatchObject({ status: 403 });
  await asBegunBySso(app, agent);
  expect(await agent.send('GET', '/api/rooms')).toMatchObject({ status: 200 });
});
