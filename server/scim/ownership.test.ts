import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { createScimToken } from '#domain/scim/contract.ts';
import { isTimedOut } from '#server/platform/database-errors.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

// A directory may change accounts of its organization's verified domains, and no others.

let app: TestApp;
let corp: Awaited<ReturnType<typeof newOrganization>>;
let directory: Directory;
let turns = 0;
let email: string;

beforeAll(async () => {
  app = await openTestApp();
  corp = await newOrganization(app);
  directory = await Directory.of(app, corp, 'corp.example');
});
beforeEach(() => {
  turns += 1;
  email = `person-${turns}@corp.example`;
});
afterAll(() => app.close());

const one = async (sql: string, ...values: unknown[]) =>
  (await app.owner.query(sql, values)).rows[0];
const create = (userName: string, of = directory) => of.ask('POST', '/Users', { userName });
const signIn = (address: string) =>
  new Visitor(app).send('POST', '/api/login', { email: address, password: 'correct horse' });

/** Creates an account with an address; without an organization unless it stays in its own. */
async function accountAt(address: string, given: { isVerified: boolean; stays?: boolean }) {
  const visitor = await newOrganization(app);
  const { id } = visitor.user;
  const verifiedAt = given.isVerified ? new Date() : null;
  await app.owner.query('update accounts set email = $2, email_verified_at = $3 where id = $1', [
    id,
    address,
    verifiedAt,
  ]);
  if (given.stays) return visitor;
  await app.owner.query('delete from memberships where account_id = $1', [id]);
  // Ending the membership has ended the sessions.
  await visitor.send('POST', '/api/login', { email: address, password: 'correct horse' });
  return visitor;
}

describe('K2: a directory cannot provision an account of a domain that its organization has not verified', () => {
  test('whether or not the account exists, which the answer does not reveal (L6)', async () => {
    const person = await accountAt('ada@elsewhere.example', { isVerified: true });
    const known = await create('ada@elsewhere.example');
    const unknown = await create('bob@elsewhere.example');
    const member = await create((await newOrganization(app)).user.email);
    expect(known).toMatchObject({ status: 403, body: { scimType: 'invalidValue' } });
    expect(unknown.body).toEqual(known.body);
    expect(member.status).toBe(403);
    expect((await person.send('GET', '/api/user')).body).toMatchObject({ orgId: null });
    expect(await one("select 1 from accounts where email = 'bob@elsewhere.example'")).toBe(
      undefined,
    );
  });

  test('by changing an address to that domain, or by reactivating a user of that domain', async () => {
    const { id } = await directory.user(email);
    const userName = 'mallory@elsewhere.example';
    const rename = patchOf({ op: 'replace', path: 'userName', value: userName });
    expect((await directory.ask('PATCH', `/Users/${id}`, rename)).status).toBe(403);
    expect(await one('select email from accounts where id = $1', id)).toEqual({ email });

    const member = await newMember(app, corp, 'AGENT');
    const active = (value: boolean) =>
      directory.ask(
        'PATCH',
        `/Users/${member.user.id}`,
        patchOf({ op: 'replace', value: { active: value } }),
      );
    expect((await active(false)).status).toBe(200);
    expect((await active(true)).status).toBe(403);
  });

  test('even if the organization has claimed the domain', async () => {
    const other = await newOrganization(app);
    await other.send('POST', '/api/sso/domains', { domain: 'claimed.example' });
    const theirs = await Directory.of(app, other, 'verified.example');
    expect((await create('a@claimed.example', theirs)).status).toBe(403);
    expect((await create('a@verified.example', theirs)).status).toBe(201);
  });
});

describe('K1: an existing account that a directory provisions', () => {
  test.each([true, false])(
    'loses all earlier credentials, verified (%s) or not',
    async (isVerified) => {
      const before = await accountAt(email, { isVerified });
      await app.owner.query(
        `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up)
         values (gen_random_uuid(), $1, $2, '', 0, '{}', 'Theirs', false)`,
        [before.user.id, email],
      );
      expect((await create(email)).body).toMatchObject({ id: before.user.id });
      expect((await before.send('GET', '/api/user')).status).toBe(401);
      expect((await signIn(email)).status).toBe(401);
      expect(await one('select 1 from passkeys where account_id = $1', before.user.id)).toBe(
        undefined,
      );
      expect(await one('select subject from mails where recipient = $1', email)).toEqual({
        subject: 'Your Rapport account joined your organization',
      });
    },
  );

  test('loses them as well if it is created inactive and activated later', async () => {
    const before = await accountAt(email, { isVerified: true });
    await directory.user(email, { active: false });
    await directory.ask(
      'PATCH',
      `/Users/${before.user.id}`,
      patchOf({ op: 'replace', value: { active: true } }),
    );
    expect((await before.send('GET', '/api/user')).status).toBe(401);
    expect((await signIn(email)).status).toBe(401);
  });

  test('does not become verified', async () => {
    const { id } = await directory.user(email);
    expect(await one('select email_verified_at as at from accounts where id = $1', id)).toEqual({
      at: null,
    });
  });
});

describe('H6: squatting on a verified domain', () => {
  test('another organization’s directory cannot create an account there', async () => {
    const other = await Directory.of(app, await newOrganization(app), 'squatter.example');
    expect((await create(email, other)).status).toBe(403);
  });

  test('an unverified account in another organization is reclaimed, even from its last admin', async () => {
    const squatter = await accountAt(email, { isVerified: false, stays: true });
    const { id, orgId } = squatter.user;
    expect((await create(email)).body).toMatchObject({ id });
    expect((await squatter.send('GET', '/api/user')).status).toBe(401);
    expect(await one('select org_id from memberships where account_id = $1', id)).toEqual({
      org_id: corp.user.orgId,
    });
    expect(
      await one(
        "select entity_id from audit_events where org_id = $1 and action = 'MEMBER_REMOVED'",
        orgId,
      ),
    ).toEqual({ entity_id: id });
  });

  test('the other organization cannot delay the reclaim by locks of its admins', async () => {
    const squatter = await accountAt(email, { isVerified: false, stays: true });
    const admin = await newMember(app, squatter, 'ORGADMIN');
    await app.owner.query('begin');
    await app.owner.query('select 1 from memberships where account_id = $1 for update', [
      admin.user.id,
    ]);
    const made = await create(email);
    await app.owner.query('commit');
    expect(made).toMatchObject({ status: 201, body: { id: squatter.user.id } });
  });

  test('G4: the owner of the domain cancels transactions of the other organization that lock the membership', async () => {
    const squatter = await accountAt(email, { isVerified: false, stays: true });
    const { id, orgId } = squatter.user;
    const admin = await newMember(app, squatter, 'ORGADMIN');
    await app.owner.query('begin');
    await app.owner.query('select 1 from accounts where id = $1 for update', [admin.user.id]);
    const lock = (name: string, table: string, key: string) => ({
      name,
      text: `select 1 from ${table} where ${key} = $1 for update`,
    });
    // Holds the membership for as long as it waits for the owner's transaction, and another one waits for it.
    const holding = app.services.database.transaction(orgId as OrgId, async ({ run }) => {
      await run(lock('hold_membership', 'memberships', 'account_id'), [id]);
      await run(lock('wait_for_account', 'accounts', 'id'), [admin.user.id]);
    });
    const held = expect(holding).rejects.toSatisfy(isTimedOut);
    await waitingForLocks(app);
    const next = expect(
      squatter.send('PUT', `/api/users/${admin.user.id}/role`, { role: 'AGENT' }),
    ).resolves.toMatchObject({ status: 503 });
    await waitingForLocks(app, 2);
    const made = await create(email);
    await app.owner.query('commit');
    await Promise.all([held, next]);
    expect(made).toMatchObject({ status: 201, body: { id } });
  });

  test('if the operator locks the membership, the credentials are removed and the answer is to retry', async () => {
    const squatter = await accountAt(email, { isVerified: false, stays: true });
    await app.owner.query('begin');
    await app.owner.query('select 1 from memberships where account_id = $1 for update', [
      squatter.user.id,
    ]);
    const refused = await create(email);
    const sessions = await squatter.send('GET', '/api/user');
    await app.owner.query('commit');
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(sessions.status).toBe(401);
    expect((await signIn(email)).status).toBe(401);
    expect(await create(email)).toMatchObject({ status: 201, body: { id: squatter.user.id } });
  });

  test('a password change in flight does not survive the reclaim', async () => {
    const squatter = await accountAt(email, { isVerified: false, stays: true });
    await app.owner.query('begin');
    await app.owner.query('select 1 from accounts where id = $1 for update', [squatter.user.id]);
    const making = create(email);
    await waitingForLocks(app);
    const changing = squatter.send('PUT', '/api/user/password', {
      currentPassword: 'correct horse',
      newPassword: 'known to mallory',
    });
    await waitingForLocks(app, 2);
    await app.owner.query('commit');
    expect((await making).status).toBe(201);
    expect(await changing).toMatchObject({ status: 401, body: { code: 'session_ended' } });
    expect(await one('select password_hash from accounts where id = $1', squatter.user.id)).toEqual(
      {
        password_hash: null,
      },
    );
  });

  test('a verified account in another organization keeps its membership: 409', async () => {
    const person = await accountAt(email, { isVerified: true, stays: true });
    expect(await create(email)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect((await person.send('GET', '/api/rooms')).status).toBe(200);
  });

  test('an admin with an unverified address cannot create a token', async () => {
    const admin = await newOrganization(app);
    await app.owner.query('update accounts set email_verified_at = null where id = $1', [
      admin.user.id,
    ]);
    const body = { name: 'Directory', expiresInDays: null };
    expect(await admin.send(createScimToken.method, createScimToken.path, body)).toMatchObject({
      status: 403,
      body: { code: 'email_unverified' },
    });
  });
});

describe('M8: the address of an account that a directory created', () => {
  const rename = (id: string, value: string) =>
    directory.ask('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'userName', value }));

  test('cannot change after the user was an admin, even if removed from the mapped group', async () => {
    const { id } = await directory.user(email);
    const group = await directory.group(`Admins ${turns}`, [id]);
    const set = (op: string) =>
      directory.ask(
        'PATCH',
        `/Groups/${group}`,
        patchOf({ op, path: 'members', value: [{ value: id }] }),
      );
    await corp.send('PUT', `/api/scim-groups/${group}/role`, { role: 'ORGADMIN' });
    expect(await one('select role from memberships where account_id = $1', id)).toEqual({
      role: 'ORGADMIN',
    });
    await set('remove');
    expect(await one('select role from memberships where account_id = $1', id)).toEqual({
      role: 'VIEWER',
    });
    expect((await rename(id, `moved-${turns}@corp.example`)).status).toBe(200);
    expect(await one('select email from accounts where id = $1', id)).toEqual({ email });
  });

  test('can change otherwise: unverified, without the earlier credentials, and mailed to the old address', async () => {
    const { id } = await directory.user(email);
    const person = await newOrganization(app);
    await app.owner.query('update sessions set account_id = $1 where account_id = $2', [
      id,
      person.user.id,
    ]);
    await app.owner.query(
      `update accounts set email_verified_at = now(), password_hash =
         (select password_hash from accounts where id = $2) where id = $1`,
      [id, person.user.id],
    );
    const moved = `moved-${turns}@corp.example`;
    expect((await person.send('GET', '/api/user')).body).toMatchObject({ id });
    expect((await rename(id, moved)).status).toBe(200);
    expect(
      await one('select email, email_verified_at, password_hash from accounts where id = $1', id),
    ).toEqual({ email: moved, email_verified_at: null, password_hash: null });
    expect((await person.send('GET', '/api/user')).status).toBe(401);
    const mail = await one('select subject, body_text from mails where recipient = $1', email);
    expect(mail.subject).toBe('The email address of your Rapport account was changed');
    expect(mail.body_text).toContain(moved);
  });

  test('R19-12: ends the API tokens and the calendar of the former holder', async () => {
    const { id } = await directory.user(email);
    await app.owner.query(
      `insert into api_tokens (id, org_id, account_id, name, token_hash, scopes, two_factors)
         values (gen_random_uuid(), $1, $2::uuid, 'Mine', decode(md5($2::text), 'hex'), array['rooms:read'], false)`,
      [corp.user.orgId, id],
    );
    await app.owner.query(
      `insert into calendar_feeds (org_id, account_id, token_hash)
         values ($1, $2::uuid, decode(md5($2::text), 'hex'))`,
      [corp.user.orgId, id],
    );
    expect((await rename(id, `moved-${turns}@corp.example`)).status).toBe(200);
    expect(
      await one(
        `select (select count(*)::int from api_tokens where account_id = $1 and revoked_at is null) as tokens,
          (select count(*)::int from calendar_feeds where account_id = $1) as feeds`,
        id,
      ),
    ).toEqual({ tokens: 0, feeds: 0 });
  });

  test('B7: at most thirty changes a day are mailed, and count as mails of the organization', async () => {
    const { id } = await directory.user(email);
    for (let move = 0; move < 32; move += 1) {
      expect((await rename(id, `to-${move}-${turns}@corp.example`)).status).toBe(200);
    }
    const { rows } = await app.owner.query(
      'select distinct caused_by from mails where account_id = $1 and kind = $2',
      [id, 'security'],
    );
    expect(rows).toEqual([{ caused_by: corp.user.orgId }]);
    expect(await one('select count(*)::int as n from mails where account_id = $1', id)).toEqual({
      n: 30,
    });
  });
});
