import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmTwoFactor, startTwoFactor } from '#domain/two-factor/contract.ts';
import { insertPasskey } from '#server/passkeys/store.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, type Reply, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { newResetLink } from './reset-password.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

type Person = Awaited<ReturnType<typeof newOrganization>>;
const old = 'correct horse';

/** Begins a request while `changes` to the account are uncommitted, then commits them first. */
async function overtaken<T>(
  { user }: Person,
  begin: () => Promise<T>,
  changes: string[],
): Promise<T> {
  await app.owner.query('begin');
  await app.owner.query('select 1 from accounts where id = $1 for update', [user.id]);
  const asking = begin();
  // A request that waits for no lock has not checked the account again.
  await Promise.race([waitingForLocks(app), asking.catch(() => undefined)]);
  for (const change of changes) await app.owner.query(change, [user.id]);
  await app.owner.query('commit');
  return asking;
}

/**
 * The statements of `removeCredentials`: a reset, a directory that provisions the account, the domain's
 * owner.
 */
const removal = [
  'update accounts set password_hash = null where id = $1',
  'delete from totp_factors where account_id = $1',
  'delete from recovery_codes where account_id = $1',
  'delete from passkeys where account_id = $1',
  'delete from sessions where account_id = $1',
];

async function credentials({ user }: Person) {
  const { rows } = await app.owner.query(
    `select a.password_hash as password,
      (select count(*) from passkeys where account_id = a.id)::int as passkeys,
      (select count(*) from totp_factors where account_id = a.id)::int as apps,
      (select count(*) from recovery_codes where account_id = a.id)::int as codes,
      (select count(*) from sessions where account_id = a.id)::int as sessions
     from accounts a where a.id = $1`,
    [user.id],
  );
  return rows[0];
}
const none = { password: null, passkeys: 0, apps: 0, codes: 0, sessions: 0 };

async function sessionOf({ user }: Person): Promise<{ id: string }> {
  const { rows } = await app.owner.query('select id from sessions where account_id = $1', [
    user.id,
  ]);
  return rows[0];
}

async function passkeyOf(person: Person, name = 'Laptop') {
  return insertPasskey(
    app.services.database,
    {
      user: person.user,
      session: await sessionOf(person),
      address: null,
      publicUrl: 'https://calls.example.com',
    },
    {
      credentialId: `${person.user.id} ${name}`,
      publicKey: Buffer.from('key'),
      counter: 0,
      transports: [],
      name,
      backedUp: false,
    },
  );
}

async function withFactor(person: Person): Promise<void> {
  const { secret } = await person.call(startTwoFactor);
  await person.call(confirmTwoFactor, { body: { code: generateSync({ secret }) } });
}

const newPassword = { currentPassword: old, newPassword: 'known to mallory' };

/**
 * Every way to change how an account signs in. Each one prepares, and returns a function that sends the
 * request.
 */
const ways: Record<string, (person: Person) => Promise<() => Promise<Reply>>> = {
  'PUT /api/user/password': async (person) => () =>
    person.send('PUT', '/api/user/password', newPassword),
  'POST /api/user/two-factor': async (person) => () => person.send('POST', '/api/user/two-factor'),
  'POST /api/user/two-factor/confirm': async (person) => {
    const { secret } = await person.call(startTwoFactor);
    const body = { code: generateSync({ secret }) };
    return () => person.send(confirmTwoFactor.method, confirmTwoFactor.path, body);
  },
  'POST /api/user/two-factor/recovery-codes': async (person) => {
    await withFactor(person);
    return () => person.send('POST', '/api/user/two-factor/recovery-codes');
  },
  'DELETE /api/user/two-factor': async (person) => {
    await withFactor(person);
    return () => person.send('DELETE', '/api/user/two-factor');
  },
  'PATCH /api/user/passkeys/:id': async (person) => {
    const { id } = await passkeyOf(person);
    return () => person.send('PATCH', `/api/user/passkeys/${id}`, { name: 'Mine' });
  },
  'DELETE /api/user/passkeys/:id': async (person) => {
    const { id } = await passkeyOf(person);
    return () => person.send('DELETE', `/api/user/passkeys/${id}`);
  },
  'POST /api/user/confirm': async (person) => () =>
    person.send('POST', '/api/user/confirm', { password: old }),
  'POST /api/user/delete': async (person) => () =>
    person.send('POST', '/api/user/delete', { email: person.user.email, password: old }),
  'DELETE /api/user/sessions': async (person) => () => person.send('DELETE', '/api/user/sessions'),
  'DELETE /api/user/sessions/:id': async (person) => {
    const { id } = await sessionOf(person);
    return () => person.send('DELETE', `/api/user/sessions/${id}`);
  },
};

test.each(Object.entries(ways))(
  '%s in flight while all credentials are removed changes nothing: 401',
  async (_, prepare) => {
    const mallory = await newOrganization(app);
    const reply = await overtaken(mallory, await prepare(mallory), removal);
    expect(reply).toMatchObject({ status: 401, body: { code: 'session_ended' } });
    expect(await credentials(mallory)).toEqual(none);
  },
);

test('a passkey registration in flight while all credentials are removed adds no passkey', async () => {
  const mallory = await newOrganization(app);
  const session = await sessionOf(mallory);
  const self = { user: mallory.user, session, address: null, publicUrl: 'https://a.example' };
  const row = {
    credentialId: 'late',
    publicKey: Buffer.from('key'),
    counter: 0,
    transports: [],
    name: 'Late',
    backedUp: false,
  };
  const adding = () => insertPasskey(app.services.database, self, row).catch((error) => error.code);
  expect(await overtaken(mallory, adding, removal)).toBe('session_ended');
  expect(await credentials(mallory)).toEqual(none);
});

test.each(['PUT /api/user/password', 'POST /api/user/confirm', 'POST /api/user/delete'])(
  '%s with a password that is replaced in the meantime changes nothing: 409',
  async (way) => {
    const person = await newOrganization(app);
    const begin = await ways[way]?.(person);
    const reply = await overtaken(person, async () => begin?.(), [
      "update accounts set password_hash = 'another' where id = $1",
    ]);
    expect(reply).toMatchObject({ status: 409, body: { code: 'password_replaced' } });
    expect(await credentials(person)).toMatchObject({ password: 'another', sessions: 1 });
  },
);

test('a password change in flight does not override a concurrent reset by the owner', async () => {
  const person = await newOrganization(app);
  const link = await newResetLink(app.services.database, person.user.id, 'https://a.example');
  const token = link.split('/').at(-1);
  await app.owner.query('begin');
  await app.owner.query('select 1 from accounts where id = $1 for update', [person.user.id]);
  const chosen = { password: 'chosen by the owner' };
  const resetting = new Visitor(app).send('POST', `/api/reset-password/${token}`, chosen);
  await waitingForLocks(app);
  const changing = person.send('PUT', '/api/user/password', newPassword);
  await waitingForLocks(app, 2);
  await app.owner.query('commit');
  expect((await resetting).status).toBe(200);
  expect((await changing).status).toBe(401);
  const login = (password: string) =>
    new Visitor(app).send('POST', '/api/login', { email: person.user.email, password });
  expect((await login(newPassword.newPassword)).status).toBe(401);
  expect((await login(chosen.password)).status).toBe(200);
});

test('a concurrent change that does not affect credentials lets a password change succeed', async () => {
  const person = await newOrganization(app);
  const reply = await overtaken(
    person,
    () => person.send('PUT', '/api/user/password', newPassword),
    ["update accounts set first_name = 'Grace' where id = $1"],
  );
  expect(reply.status).toBe(204);
});
