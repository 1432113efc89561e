import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#domain/auth/contract.ts';
import { Directory, patchOf, userUrn } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let admin: Awaited<ReturnType<typeof newOrganization>>;
let directory: Directory;
beforeAll(async () => {
  app = await openTestApp();
  admin = await newOrganization(app);
  directory = await Directory.of(app, admin);
});
afterAll(() => app.close());

let count = 0;
const newName = () => `scim-${++count}@directory.example`;
const one = async (sql: string, ...values: unknown[]) =>
  (await app.owner.query(sql, values)).rows[0];
const roleOf = async (id: string) =>
  (await one('select role from memberships where account_id = $1', id))?.role;

test('a user created by the directory is a member without a password, with an audit event', async () => {
  const userName = newName();
  const said = await directory.ask('POST', '/Users', {
    schemas: [userUrn],
    userName,
    externalId: 'ext-1',
    name: { givenName: 'Grace', familyName: 'Hopper' },
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
  });
  expect(said).toMatchObject({
    status: 201,
    body: {
      schemas: [userUrn],
      id: expect.any(String),
      externalId: 'ext-1',
      userName,
      active: true,
      name: { givenName: 'Grace', familyName: 'Hopper' },
      meta: { resourceType: 'User', version: 'W/"1"' },
    },
  });
  expect(said.headers['content-type']).toMatch(/^application\/scim\+json/);
  expect(said.headers.location).toBe(said.body.meta.location);
  expect(said.headers.etag).toBe('W/"1"');
  const { id } = said.body;
  expect(await one('select first_name, password_hash from accounts where id = $1', id)).toEqual({
    first_name: 'Grace',
    password_hash: null,
  });
  expect(await roleOf(id)).toBe('VIEWER');
  expect(await one('select * from audit_events where entity_id = $1', id)).toMatchObject({
    action: 'USER_PROVISIONED',
    actor_kind: 'token',
    address: '127.0.0.1',
  });
  const signIn = await new Visitor(app).send('POST', '/api/login', {
    email: userName,
    password: 'correct horse',
  });
  expect(signIn.status).toBe(401);
});

test('existing members are found by their address, and can be linked', async () => {
  const member = await newMember(app, admin, 'AGENT');
  const filter = encodeURIComponent(`userName eq "${member.user.email.toUpperCase()}"`);
  const found = await directory.ask('GET', `/Users?filter=${filter}`);
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: member.user.id }] });
  const body = patchOf({ op: 'replace', path: 'externalId', value: 'linked' });
  const linked = await directory.ask('PATCH', `/Users/${member.user.id}`, body);
  expect(linked.body).toMatchObject({ externalId: 'linked', active: true });
  expect(await roleOf(member.user.id)).toBe('AGENT');
});

test('userName is unique regardless of case: duplicates and colliding renames get 409 uniqueness', async () => {
  const [a, b] = [newName(), newName()];
  const first = await directory.user(a);
  const second = await directory.user(b);
  const conflict = { status: 409, body: { status: '409', scimType: 'uniqueness' } };
  expect(await directory.ask('POST', '/Users', { userName: a.toUpperCase() })).toMatchObject(
    conflict,
  );
  const rename = patchOf({ op: 'replace', path: 'userName', value: a.toUpperCase() });
  expect(await directory.ask('PATCH', `/Users/${second.id}`, rename)).toMatchObject(conflict);
  expect(await directory.ask('PATCH', `/Users/${first.id}`, rename)).toMatchObject({ status: 200 });
});

test('of twelve concurrent requests for one user, one creates it', async () => {
  const userName = newName();
  const all = await Promise.all(
    Array.from({ length: 12 }, () => directory.ask('POST', '/Users', { userName })),
  );
  expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
});

/** Changes a person's address to one of the directory's domain. */
async function rename(visitor: { user: { id: string } }): Promise<string> {
  const email = newName();
  await app.owner.query('update accounts set email = $1 where id = $2', [email, visitor.user.id]);
  return email;
}

test('a verified member of another organization is refused without revealing the organization', async () => {
  const other = await newOrganization(app);
  const refused = await directory.ask('POST', '/Users', { userName: await rename(other) });
  expect(refused).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  const member = await directory.user(newName());
  const own = await directory.ask('POST', '/Users', { userName: member.userName });
  expect(refused.body).toEqual(own.body);
  expect((await other.send('GET', '/api/rooms')).status).toBe(200);
});

test.each([
  [
    'active: false',
    (id: string) =>
      directory.ask(
        'PATCH',
        `/Users/${id}`,
        patchOf({ op: 'Replace', value: { active: 'False' } }),
      ),
  ],
  ['DELETE', (id: string) => directory.ask('DELETE', `/Users/${id}`)],
])('%s ends the membership and every session immediately; the account stays', async (_, end) => {
  const member = await newMember(app, admin, 'AGENT');
  expect((await member.send('GET', '/api/rooms')).status).toBe(200);
  expect((await end(member.user.id)).status).toBeLessThan(300);
  expect((await member.send('GET', '/api/rooms')).status).toBe(401);
  expect(await roleOf(member.user.id)).toBe(undefined);
  const body = { email: member.user.email, password: 'correct horse' };
  const user = await new Visitor(app).call(login, { body });
  expect(user).toMatchObject({ id: member.user.id, orgId: null });
});

test('a deactivated user can be found, and is reactivated with the former role, but not as an admin', async () => {
  for (const [role, back] of [
    ['AGENT', 'AGENT'],
    ['ORGADMIN', 'VIEWER'],
  ] as const) {
    const { user } = await newMember(app, admin, role);
    await rename({ user });
    const set = (active: unknown) =>
      directory.ask(
        'PATCH',
        `/Users/${user.id}`,
        patchOf({ op: 'replace', path: 'active', value: active }),
      );
    expect((await set(false)).body).toMatchObject({ active: false });
    expect((await directory.ask('GET', `/Users/${user.id}`)).body).toMatchObject({ active: false });
    expect((await set('True')).body).toMatchObject({ active: true });
    expect(await roleOf(user.id)).toBe(back);
  }
});

test('a user who has joined another organization in the meantime cannot be reactivated: 409', async () => {
  const { user } = await newMember(app, admin, 'AGENT');
  await rename({ user });
  await directory.ask(
    'PATCH',
    `/Users/${user.id}`,
    patchOf({ op: 'replace', value: { active: false } }),
  );
  const elsewhere = await newOrganization(app);
  await app.owner.query(
    "insert into memberships (org_id, account_id, role) values ($1, $2, 'AGENT')",
    [elsewhere.user.orgId, user.id],
  );
  const body = patchOf({
    op: 'replace',
    value: { active: true, 'name.givenName': 'Eve', 'emails[type eq "work"].value': newName() },
  });
  expect(await directory.ask('PATCH', `/Users/${user.id}`, body)).toMatchObject({ status: 409 });
  const name = patchOf({ op: 'replace', value: { 'name.givenName': 'Eve' } });
  expect((await directory.ask('PATCH', `/Users/${user.id}`, name)).status).toBe(200);
  expect((await one('select first_name from accounts where id = $1', user.id)).first_name).toBe(
    user.firstName,
  );
});

test('the last admin cannot be deactivated or deleted: 409 with a reason', async () => {
  const alone = await newOrganization(app);
  const theirs = await Directory.of(app, alone, 'alone.example');
  const path = `/Users/${alone.user.id}`;
  const off = patchOf({ op: 'replace', path: 'active', value: false });
  for (const said of [await theirs.ask('PATCH', path, off), await theirs.ask('DELETE', path)])
    expect(said).toMatchObject({
      status: 409,
      body: { detail: 'Your organization needs an admin. Make someone else an admin first.' },
    });
  expect((await alone.send('GET', '/api/rooms')).status).toBe(200);
});

test('attack 39: a role in externalId or roles is ignored, and the email of an admin does not change', async () => {
  const made = await directory.user(newName(), {
    externalId: 'ORGADMIN',
    roles: [{ value: 'ORGADMIN', primary: true }],
    role: 'SUPERADMIN',
    entitlements: [{ value: 'ORGADMIN' }],
  });
  const body = patchOf(
    { op: 'Add', path: 'roles[primary eq "True"].value', value: 'ORGADMIN' },
    { op: 'Replace', value: { role: 'ORGADMIN', roles: ['SUPERADMIN'] } },
  );
  expect((await directory.ask('PATCH', `/Users/${made.id}`, body)).status).toBe(200);
  expect(await roleOf(made.id)).toBe('VIEWER');
  expect(JSON.stringify(made)).not.toContain('roles');

  const moved = newName();
  const move = patchOf({ op: 'replace', path: 'emails', value: [{ value: moved, primary: true }] });
  await directory.ask('PATCH', `/Users/${admin.user.id}`, move);
  expect((await one('select email from accounts where id = $1', admin.user.id)).email).toBe(
    admin.user.email,
  );
  // Nor does the email of an account that the directory did not create; one that it created changes.
  const member = await newMember(app, admin, 'AGENT');
  await directory.ask('PATCH', `/Users/${member.user.id}`, move);
  expect((await one('select email from accounts where id = $1', member.user.id)).email).toBe(
    member.user.email,
  );
  await directory.ask('PATCH', `/Users/${made.id}`, move);
  expect((await one('select email from accounts where id = $1', made.id)).email).toBe(moved);
});

test('attack 39: the address of an admin does not change, even if the directory created the account', async () => {
  const userName = newName();
  const { id } = await directory.user(userName);
  await app.owner.query("update memberships set role = 'ORGADMIN' where account_id = $1", [id]);
  const body = patchOf({ op: 'replace', path: 'userName', value: newName() });
  expect((await directory.ask('PATCH', `/Users/${id}`, body)).status).toBe(200);
  expect((await one('select email from accounts where id = $1', id)).email).toBe(userName);
  expect(
    await one(
      "select metadata from audit_events where entity_id = $1 and action = 'USER_UPDATED'",
      id,
    ),
  ).toEqual({ metadata: { fields: ['userName'], ignored: ['email'] } });
});

test('ETags: 304 for the current version, 412 for a stale one', async () => {
  const { id } = await directory.user(newName());
  const path = `/Users/${id}`;
  const known = { 'if-none-match': 'W/"1"' };
  expect(await directory.ask('GET', path, undefined, known)).toMatchObject({
    status: 304,
    body: null,
  });
  const title = (value: string) => patchOf({ op: 'add', path: 'title', value });
  const first = await directory.ask('PATCH', path, title('A'), { 'if-match': 'W/"1"' });
  expect(first).toMatchObject({ status: 200, body: { meta: { version: 'W/"2"' } } });
  const stale = { 'if-match': 'W/"1"' };
  for (const said of [
    await directory.ask('PATCH', path, title('B'), stale),
    await directory.ask('PUT', path, { userName: newName() }, stale),
    await directory.ask('DELETE', path, undefined, stale),
  ])
    expect(said.status).toBe(412);
  expect((await directory.ask('GET', path, undefined, known)).body).toMatchObject({ title: 'A' });
  const same = await directory.ask('PATCH', path, title('A'), { 'if-match': '*' });
  expect(same.body.meta.version).toBe('W/"2"');
});

test('PUT replaces everything, and keeps active if it is absent', async () => {
  const userName = newName();
  const { id } = await directory.user(userName, { title: 'Agent', externalId: 'e' });
  const said = await directory.ask('PUT', `/Users/${id}`, { userName, displayName: 'G' });
  expect(said.body).toMatchObject({ userName, displayName: 'G', active: true });
  expect(said.body).not.toHaveProperty('title');
  expect(said.body).not.toHaveProperty('externalId');
});

test('SIGNUP=closed refuses new accounts from a directory', async () => {
  const { config } = app.services;
  config.SIGNUP = 'closed';
  try {
    const userName = newName();
    const said = await directory.ask('POST', '/Users', { schemas: [userUrn], userName });
    expect(said).toMatchObject({ status: 403 });
    expect(await one('select 1 from accounts where email = $1', userName)).toBe(undefined);
  } finally {
    config.SIGNUP = 'open';
  }
});

const manyEmails = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => ({ value: `many-${from + n}@directory.example` }));

test('the values of an attribute are bounded in each operation, not only after all of them', async () => {
  const { id } = await directory.user(newName());
  const patch = (...operations: object[]) =>
    directory.ask('PATCH', `/Users/${id}`, patchOf(...operations));
  const one = { op: 'replace', path: 'emails', value: manyEmails(0, 1) };
  const refused = {
    status: 400,
    body: { scimType: 'invalidValue', detail: expect.stringContaining('100 values at most') },
  };
  expect(
    await patch({ op: 'replace', path: 'emails', value: manyEmails(0, 101) }, one),
  ).toMatchObject(refused);
  const add = (from: number, to: number) => ({
    op: 'add',
    value: { emails: manyEmails(from, to) },
  });
  expect(await patch(add(0, 60), add(60, 120), one)).toMatchObject(refused);
  const parts = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`part-${n}`, n]));
  const others = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`other-${n}`, n]));
  const at = (value: object) => ({ op: 'add', path: 'emails[type eq "work"]', value });
  expect(await patch(at(parts), at(others), one)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('100 parts at most') },
  });
  expect(await patch(add(0, 100), one)).toMatchObject({ status: 200 });
});

test('a PATCH of a user has at most 100 operations, 300 attributes, and 64 KB', async () => {
  const { id } = await directory.user(newName());
  const patch = (...operations: object[]) =>
    directory.ask('PATCH', `/Users/${id}`, patchOf(...operations));
  const title = { op: 'replace', path: 'title', value: 'T' };
  expect((await patch(...Array(100).fill(title))).status).toBe(200);
  expect((await patch(...Array(101).fill(title))).status).toBe(413);
  const named = (count: number) => ({
    op: 'add',
    value: Object.fromEntries(Array.from({ length: count }, (_, n) => [`unknown-${n}`, n])),
  });
  expect((await patch(named(150), named(150))).status).toBe(200);
  expect((await patch(named(150), named(151))).status).toBe(413);
  const long = { op: 'replace', path: 'emails', value: manyEmails(0, 2_000) };
  expect((await patch(long)).status).toBe(413);
});
