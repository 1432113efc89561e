import { afterAll, beforeAll, expect, test } from 'vitest';
import { Directory, patchOf, userUrn } from '#server/testing/directory.ts';
import { inFullRun } from '#server/testing/full-run.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

// The requests in the order and shape of the directories' own documentation.

let app: TestApp;
let directory: Directory;
beforeAll(async () => {
  app = await openTestApp();
  directory = await Directory.of(app, await newOrganization(app));
});
afterAll(() => app.close());

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const filter = (text: string) => `filter=${encodeURIComponent(text)}`;

test('Okta: test the connection, look up a user, create, read, change, deactivate, and reactivate', async () => {
  const first = await directory.ask('GET', '/Users?startIndex=1&count=2');
  expect(first).toMatchObject({
    status: 200,
    body: { startIndex: 1, Resources: expect.any(Array) },
  });

  const userName = 'okta.person@directory.example';
  const search = `/Users?${filter(`userName eq "${userName}"`)}&startIndex=1&count=100`;
  expect((await directory.ask('GET', search)).body).toMatchObject({
    totalResults: 0,
    Resources: [],
  });

  const person = {
    schemas: [userUrn],
    userName,
    name: { givenName: 'Okta', familyName: 'Person' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Okta Person',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };
  const made = await directory.ask('POST', '/Users', person);
  expect(made).toMatchObject({ status: 201, body: { userName, active: true, locale: 'en-US' } });
  expect(made.body).not.toHaveProperty('password');
  const { id } = made.body;
  expect((await directory.ask('GET', `/Users/${id}`)).body).toEqual(made.body);

  // A profile change sends the whole user, including what was read before.
  const changed = await directory.ask('PUT', `/Users/${id}`, {
    ...made.body,
    name: { givenName: 'Another', middleName: 'Excited', familyName: 'Person' },
    groups: [],
  });
  expect(changed.body).toMatchObject({ name: { givenName: 'Another', middleName: 'Excited' } });

  const active = (value: boolean) =>
    directory.ask('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: value } }));
  expect((await active(false)).body).toMatchObject({ id, active: false });
  expect((await active(true)).body).toMatchObject({ id, active: true });
  const off = await directory.ask('PUT', `/Users/${id}`, { ...changed.body, active: false });
  expect(off.body).toMatchObject({ active: false });
});

test('Okta: push a group, link it, rename it, and change its members', async () => {
  const a = await directory.user('okta.a@directory.example');
  const b = await directory.user('okta.b@directory.example');
  const first = await directory.ask('GET', '/Groups?startIndex=1&count=100');
  expect(first.status).toBe(200);
  const made = await directory.ask('POST', '/Groups', {
    schemas: [groupUrn],
    displayName: 'Okta Group',
    members: [{ value: a.id, display: 'okta.a@directory.example' }],
  });
  expect(made).toMatchObject({ status: 201, body: { displayName: 'Okta Group' } });
  const { id } = made.body;
  const search = await directory.ask('GET', `/Groups?${filter('displayName eq "Okta Group"')}`);
  expect(search.body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  const rename = patchOf({ op: 'replace', value: { id, displayName: 'Okta Group renamed' } });
  expect((await directory.ask('PATCH', `/Groups/${id}`, rename)).status).toBeLessThan(300);
  const swap = patchOf(
    { op: 'remove', path: `members[value eq "${a.id}"]` },
    { op: 'add', path: 'members', value: [{ value: b.id, display: 'okta.b@directory.example' }] },
  );
  expect((await directory.ask('PATCH', `/Groups/${id}`, swap)).status).toBeLessThan(300);
  expect((await directory.ask('GET', `/Groups/${id}`)).body).toMatchObject({
    displayName: 'Okta Group renamed',
    members: [{ value: b.id }],
  });
  expect((await directory.ask('DELETE', `/Groups/${id}`)).status).toBe(204);
  expect((await directory.ask('GET', `/Groups/${id}`)).status).toBe(404);
});

test('Entra ID: test the connection, create a user, update by paths, rename, disable, and delete', async () => {
  // The connection test looks up an unknown name: an empty list, not 404.
  const nobody = await directory.ask('GET', `/Users?${filter('userName eq "7b9f3d3e-none"')}`);
  expect(nobody).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });

  const userName = 'Test_User_ab6490ee@directory.example';
  const made = await directory.ask('POST', '/Users', {
    schemas: [userUrn, enterprise],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName,
    active: true,
    emails: [{ primary: true, type: 'work', value: 'test_user_fd0ea19b@directory.example' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  });
  expect(made).toMatchObject({ status: 201, body: { userName, meta: { resourceType: 'User' } } });
  const { id } = made.body;
  const byName = await directory.ask('GET', `/Users?${filter(`userName eq "${userName}"`)}`);
  expect(byName.body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  const byExternal = `externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"`;
  expect((await directory.ask('GET', `/Users?${filter(byExternal)}`)).body.totalResults).toBe(1);

  const updated = await directory.ask(
    'PATCH',
    `/Users/${id}`,
    patchOf(
      {
        op: 'Replace',
        path: 'emails[type eq "work"].value',
        value: 'updatedEmail@directory.example',
      },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'Germany' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Success' },
      { op: 'Replace', value: { 'name.givenName': 'updatedGivenName', displayName: 'Updated' } },
    ),
  );
  expect(updated).toMatchObject({
    status: 200,
    body: {
      emails: [{ value: 'updatedEmail@directory.example', type: 'work', primary: true }],
      name: { familyName: 'updatedFamilyName', givenName: 'updatedGivenName' },
      phoneNumbers: [{ value: '+1 555 0100', type: 'mobile' }],
      addresses: [{ country: 'Germany', type: 'work' }],
      displayName: 'Updated',
      [enterprise]: { department: 'Success' },
      schemas: [userUrn, enterprise],
    },
  });
  const renamed = patchOf({ op: 'Replace', path: 'userName', value: '5b50642d@directory.example' });
  expect((await directory.ask('PATCH', `/Users/${id}`, renamed)).body.userName).toBe(
    '5b50642d@directory.example',
  );
  const disable = patchOf({ op: 'Replace', path: 'active', value: 'False' });
  expect((await directory.ask('PATCH', `/Users/${id}`, disable)).body.active).toBe(false);
  expect((await directory.ask('DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await directory.ask('GET', `/Users/${id}`)).status).toBe(404);
});

test('Entra ID: create a group, look it up without its members, rename it, add and remove members', async () => {
  const { id: member } = await directory.user('entra.member@directory.example');
  const externalId = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159';
  const made = await directory.ask('POST', '/Groups', {
    schemas: [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId,
    displayName: 'Entra Group',
    meta: { resourceType: 'Group' },
  });
  expect(made).toMatchObject({ status: 201, body: { externalId } });
  const path = `/Groups/${made.body.id}`;
  const lean = await directory.ask('GET', `${path}?excludedAttributes=members`);
  expect(lean).toMatchObject({ status: 200, body: { displayName: 'Entra Group' } });
  const search = `/Groups?excludedAttributes=members&${filter('displayName eq "Entra Group"')}`;
  expect((await directory.ask('GET', search)).body.totalResults).toBe(1);

  const patch = (...operations: object[]) => directory.ask('PATCH', path, patchOf(...operations));
  expect((await patch({ op: 'Replace', path: 'displayName', value: 'Entra Group 2' })).status).toBe(
    204,
  );
  expect(
    (await patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: member }] })).status,
  ).toBe(204);
  const isIn = `/Groups?${filter(`id eq "${made.body.id}" and members eq "${member}"`)}&attributes=id`;
  expect((await directory.ask('GET', isIn)).body.totalResults).toBe(1);
  expect(
    (await patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: member }] })).status,
  ).toBe(204);
  expect((await directory.ask('GET', isIn)).body.totalResults).toBe(0);
  expect((await directory.ask('DELETE', path)).status).toBe(204);
});

const people = inFullRun(1000, 250);

test('a burst: hundreds of users, and a group of them all, in bounded responses', {
  timeout: 120_000,
}, async () => {
  const burst = await Directory.of(app, await newOrganization(app), 'burst.example');
  const ids: string[] = [];
  const names = Array.from({ length: people }, (_, at) => `burst-${at}@burst.example`);
  const work = async () => {
    for (let name = names.pop(); name; name = names.pop()) ids.push((await burst.user(name)).id);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  const page = await burst.ask('GET', '/Users?count=5000');
  expect(page.body).toMatchObject({ totalResults: people + 1, itemsPerPage: 200 });
  const group = await burst.group('Everybody', ids);
  const { body } = await burst.ask('GET', `/Groups/${group}`);
  expect(body.members).toHaveLength(people);
  const away = patchOf({ op: 'remove', path: 'members' });
  expect((await burst.ask('PATCH', `/Groups/${group}`, away)).status).toBe(204);
});
