import { afterAll, beforeAll, expect, test } from 'vitest';
import { listScimGroups, setGroupRole, updateScimSettings } from '#domain/scim/contract.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

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
const newName = () => `group-${++count}`;
const newUser = async () => (await directory.user(`${newName()}@directory.example`)).id;
const one = async (sql: string, ...values: unknown[]) =>
  (await app.owner.query(sql, values)).rows[0];
const roleOf = async (id: string) =>
  (await one('select role from memberships where account_id = $1', id))?.role;
const map = (id: string, role: string | null) =>
  admin.call(setGroupRole, { params: { id }, body: { role } });
const membersOf = async (id: string) => {
  const { body } = await directory.ask('GET', `/Groups/${id}`);
  const members = (body.members ?? []) as { value: string }[]; // as in the schema
  return members.map(({ value }) => value).sort();
};
const patch = (id: string, ...operations: object[]) =>
  directory.ask('PATCH', `/Groups/${id}`, patchOf(...operations));

test('members are added and removed by every path that directories use', async () => {
  const [a, b, c] = [await newUser(), await newUser(), await newUser()];
  const id = await directory.group(newName(), [a]);
  const steps: [object, string[]][] = [
    [{ op: 'Add', path: 'members', value: [{ value: b }] }, [a, b]],
    [{ op: 'add', path: 'members', value: [{ value: a }, { value: c }] }, [a, b, c]],
    [{ op: 'remove', path: `members[value eq "${a}"]` }, [b, c]],
    [{ op: 'Remove', path: 'members', value: [{ value: b }] }, [c]],
    [{ op: 'replace', value: { members: [{ value: a }] } }, [a]],
    [{ op: 'add', value: { Members: [{ value: b, display: 'B' }] } }, [a, b]],
    [{ op: 'remove', path: `members[value eq "${a}" or value eq "${b}"]` }, []],
    [{ op: 'replace', path: 'members', value: [{ value: c }] }, [c]],
    [{ op: 'remove', path: 'members' }, []],
  ];
  for (const [operation, expected] of steps) {
    expect(await patch(id, operation)).toMatchObject({ status: 204 });
    expect([operation, await membersOf(id)]).toEqual([operation, [...expected].sort()]);
  }
});

test('a user resource lists the user’s groups, and changes its version with them', async () => {
  const person = await newUser();
  const id = await directory.group(newName(), [person]);
  const { body } = await directory.ask('GET', `/Users/${person}`);
  expect(body).toMatchObject({ groups: [{ value: id }], meta: { version: 'W/"2"' } });
  await directory.ask('DELETE', `/Groups/${id}`);
  const after = await directory.ask('GET', `/Users/${person}`);
  expect(after.body).not.toHaveProperty('groups');
  expect(after.body.meta.version).toBe('W/"3"');
});

test('the highest role of the mapped groups applies, and leaving the last one removes it', async () => {
  const person = await newUser();
  const admins = await directory.group(newName(), [person]);
  const agents = await directory.group(newName(), [person]);
  expect(await roleOf(person)).toBe('VIEWER');
  expect(await map(agents, 'AGENT')).toMatchObject({ role: 'AGENT', memberCount: 1 });
  expect(await roleOf(person)).toBe('AGENT');
  await map(admins, 'ORGADMIN');
  expect(await roleOf(person)).toBe('ORGADMIN');
  await patch(admins, { op: 'remove', path: `members[value eq "${person}"]` });
  expect(await roleOf(person)).toBe('AGENT');
  await directory.ask('DELETE', `/Groups/${agents}`);
  expect(await roleOf(person)).toBe('VIEWER');
  expect(
    await one(
      "select metadata from audit_events where entity_id = $1 and action = 'ROLE_UPDATED' order by id limit 1",
      person,
    ),
  ).toEqual({ metadata: { role: { from: 'VIEWER', to: 'AGENT' }, reason: 'group' } });
});

test('a role that no group gave is not changed by groups', async () => {
  const { user } = await newMember(app, admin, 'ORGADMIN');
  const id = await directory.group(newName(), [user.id]);
  await patch(id, { op: 'remove', path: 'members' });
  expect(await roleOf(user.id)).toBe('ORGADMIN');
});

test('an admin chooses the default role of users without a group', async () => {
  await admin.call(updateScimSettings, { body: { defaultRole: 'AGENT' } });
  expect(await roleOf(await newUser())).toBe('AGENT');
  await admin.call(updateScimSettings, { body: { defaultRole: 'VIEWER' } });
});

test('a role by a group applies immediately, also to a reactivated user', async () => {
  const person = await newMember(app, admin, 'VIEWER');
  const { id: self } = person.user;
  const room = { topic: 'T' };
  expect((await person.send('POST', '/api/rooms', room)).status).toBe(403);
  const id = await directory.group(newName(), [self]);
  await map(id, 'AGENT');
  expect((await person.send('POST', '/api/rooms', room)).status).toBe(201);
  await app.owner.query('update accounts set email = $2 where id = $1', [
    self,
    `${newName()}@directory.example`,
  ]);
  const active = (value: boolean) =>
    directory.ask('PATCH', `/Users/${self}`, patchOf({ op: 'replace', path: 'active', value }));
  await active(false);
  await map(id, 'ORGADMIN');
  await active(true);
  expect(await roleOf(self)).toBe('ORGADMIN');
});

test('a group cannot give SUPERADMIN, and a directory cannot change a super admin', async () => {
  const { user } = await newMember(app, admin, 'SUPERADMIN');
  const id = await directory.group(newName(), [user.id]);
  const reply = await admin.send('PUT', `/api/scim-groups/${id}/role`, { role: 'SUPERADMIN' });
  expect(reply).toMatchObject({ status: 400, body: { message: 'Please choose a role' } });
  await map(id, 'VIEWER');
  expect(await roleOf(user.id)).toBe('SUPERADMIN');
  expect((await directory.ask('DELETE', `/Users/${user.id}`)).status).toBe(403);
});

test('the last admin keeps the role in spite of groups, with an audit event', async () => {
  const alone = await newOrganization(app);
  const theirs = await Directory.of(app, alone, 'alone.example');
  const id = await theirs.group('Everybody', [alone.user.id]);
  await alone.call(setGroupRole, { params: { id }, body: { role: 'VIEWER' } });
  expect(await roleOf(alone.user.id)).toBe('ORGADMIN');
  expect(
    await one(
      "select metadata from audit_events where action = 'ROLE_KEPT' and org_id = $1",
      alone.user.orgId,
    ),
  ).toEqual({ metadata: { role: 'ORGADMIN', reason: 'last_admin' } });
});

test('displayName is unique regardless of case: duplicates and colliding renames get 409', async () => {
  const name = newName();
  await directory.group(name);
  const other = await directory.group(newName());
  const conflict = { status: 409, body: { scimType: 'uniqueness' } };
  expect(await directory.ask('POST', '/Groups', { displayName: name.toUpperCase() })).toMatchObject(
    conflict,
  );
  expect(
    await patch(other, { op: 'replace', value: { id: other, displayName: name } }),
  ).toMatchObject(conflict);
  expect(await directory.ask('PUT', `/Groups/${other}`, { displayName: name })).toMatchObject(
    conflict,
  );
});

test('a renamed group keeps its role', async () => {
  const id = await directory.group(newName());
  await map(id, 'AGENT');
  const displayName = newName();
  await patch(id, { op: 'replace', path: 'displayName', value: displayName });
  const groups = await admin.call(listScimGroups);
  expect(groups.find((group) => group.id === id)).toMatchObject({ displayName, role: 'AGENT' });
});

test('only users of the organization can be members of a group', async () => {
  const stranger = await newOrganization(app);
  const refused = { status: 400, body: { scimType: 'invalidValue' } };
  const id = await directory.group(newName());
  for (const value of [stranger.user.id, '01900000-0000-7000-8000-000000000000', 'nobody', id]) {
    expect(
      await directory.ask('POST', '/Groups', { displayName: newName(), members: [{ value }] }),
    ).toMatchObject(refused);
    expect(await patch(id, { op: 'add', path: 'members', value: [{ value }] })).toMatchObject(
      refused,
    );
  }
  expect(await membersOf(id)).toEqual([]);
});

test('a list of groups can omit the members', async () => {
  const displayName = newName();
  const id = await directory.group(displayName, [await newUser()]);
  const filter = encodeURIComponent(`displayName eq "${displayName.toUpperCase()}"`);
  const lean = await directory.ask('GET', `/Groups?excludedAttributes=members&filter=${filter}`);
  expect(lean.body).toMatchObject({ totalResults: 1, Resources: [{ id, displayName }] });
  expect(lean.body.Resources[0]).not.toHaveProperty('members');
  const full = await directory.ask('GET', `/Groups?filter=${filter}`);
  expect(full.body.Resources[0]?.members).toHaveLength(1);
});

test('a value that names an attribute twice, in any case, is refused', async () => {
  const id = await directory.group(newName());
  for (const value of [
    { members: [], MEMBERS: [] },
    { displayName: newName(), ' displayname': newName() },
  ]) {
    expect(await patch(id, { op: 'add', value })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidSyntax' },
    });
  }
});

test('a thousand member operations have the effect of each in turn, with the statements of one', async () => {
  const [a, b, c] = [await newUser(), await newUser(), await newUser()];
  const id = await directory.group(newName(), [a]);
  const { counts } = app.services.database;
  const counted = async (...operations: object[]) => {
    const before = counts.statements;
    expect(await patch(id, ...operations)).toMatchObject({ status: 204 });
    return counts.statements - before;
  };
  const add = (value: string) => ({ op: 'add', value: { members: [{ value }] } });
  const remove = (value: string) => ({ op: 'remove', path: `members[value eq "${value}"]` });
  const once = await counted(remove(a), add(b));
  expect(await membersOf(id)).toEqual([b]);
  const pairs = Array.from({ length: 499 }, () => [remove(c), add(c)]).flat();
  expect(await counted(...pairs, remove(b), add(a))).toBeLessThanOrEqual(once + 1);
  expect(await membersOf(id)).toEqual([a, c].sort());
  const whole = { op: 'replace', path: 'members', value: [{ value: b }] };
  await counted(add(a), whole, add(c), remove(b));
  expect(await membersOf(id)).toEqual([c]);
});
