import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OrgId, orgId } from '#domain/ids.ts';
import { parseFilter } from '#domain/scim/filter.ts';
import { groupType } from '#domain/scim/group-schema.ts';
import { userType } from '#domain/scim/user-schema.ts';
import { AnswerReader } from '#server/platform/answer-reader.ts';
import { sql } from '#server/platform/drizzle.ts';
import { Directory, ownDomain } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { filterSql } from './filter-sql.ts';
import { groupPlaces, userPlaces } from './places.ts';

const nobody = '01900000-0000-7000-8000-000000000000';
let app: TestApp;
let directory: Directory;
const ids: Record<string, string> = {};
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

beforeAll(async () => {
  app = await openTestApp();
  const admin = await newOrganization(app);
  directory = await Directory.of(app, admin);
  await ownDomain(app, admin, 'work.example');
  await directory.ask('DELETE', `/Users/${admin.user.id}`);
  const people = [
    {
      userName: 'ada@directory.example',
      externalId: 'E1',
      title: 'Success Manager',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [
        { value: 'ada@directory.example', type: 'work', primary: true },
        { value: 'ada@home.example', type: 'home' },
      ],
      [enterprise]: { department: 'North', manager: { value: 'm1' } },
    },
    {
      userName: 'ben@directory.example',
      externalId: 'e1',
      title: 'manager "x" and y',
      name: { givenName: 'Ben', familyName: 'Adams' },
      emails: [{ value: 'ben@work.example', type: 'work' }],
      active: false,
    },
    {
      userName: 'cy@directory.example',
      name: { familyName: 'Zuse' },
      addresses: [{ locality: 'Berlin' }],
    },
  ];
  for (const person of people) {
    const { userName, ...more } = person;
    const made = await directory.user(userName, more);
    ids[userName.split('@')[0] ?? ''] = made.id;
  }
  ids.group = await directory.group('Team', [ids.ada ?? '']);
});
afterAll(() => app.close());

const nameOf = (userName: unknown) => String(userName).split('@')[0];
async function found(query: string): Promise<unknown[]> {
  const { status, body } = await directory.ask('GET', `/Users?${query}`);
  expect([query, status, body]).toMatchObject([query, 200, {}]);
  return body.Resources.map((each) => nameOf(each.userName)).filter((name) => name !== 'person-1');
}
const matching = (filter: string) => found(`filter=${encodeURIComponent(filter)}`);

describe('filters', () => {
  test.each<[string, string[]]>([
    ['userName eq "ADA@directory.example"', ['ada']],
    ['USERNAME EQ "ada@directory.example"', ['ada']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@directory.example"', ['ada']],
    ['externalId eq "E1"', ['ada']],
    ['externalId eq "e1"', ['ben']],
    ['title co "MANAGER"', ['ada', 'ben']],
    ['title eq "manager \\"x\\" and y"', ['ben']],
    ['userName sw "b"', ['ben']],
    ['name.familyName ew "e"', ['ada', 'cy']],
    ['name.familyName gt "b" and name.familyName lt "n"', ['ada']],
    ['name.familyName ge "lovelace" and name.familyName le "lovelace"', ['ada']],
    ['userName sw "a" or userName sw "b" and active eq true', ['ada']],
    ['(userName sw "a" or userName sw "b") and active eq false', ['ben']],
    ['active eq "False"', ['ben']],
    ['userName ne "ada@directory.example" and title pr', ['ben']],
    ['not (title pr) and userName sw "c"', ['cy']],
    ['not (title eq "x") and userName sw "c"', ['cy']],
    ['not (userName sw "a" or userName sw "b") and userName sw "c"', ['cy']],
    ['emails eq "ada@home.example"', ['ada']],
    ['emails.type eq "home"', ['ada']],
    ['emails[type eq "home" and value co "home"]', ['ada']],
    ['emails[type eq "home" and primary eq true]', []],
    ['emails[type eq "work"].value eq "BEN@work.example"', ['ben']],
    ['emails[not (type eq "work")]', ['ada']],
    ['addresses.locality eq "berlin"', ['cy']],
    ['addresses pr', ['cy']],
    [`${enterprise}:department eq "north"`, ['ada']],
    [`${enterprise}:manager.value eq "m1"`, ['ada']],
    ['externalId eq null and userName sw "c"', ['cy']],
    ['id eq "nobody"', []],
    ['meta.created gt "2020-01-01T00:00:00Z" and userName sw "a"', ['ada']],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
  ])('%s', async (filter, expected) => {
    expect((await matching(filter)).sort()).toEqual(expected);
  });

  test('by ID and by group', async () => {
    expect(await matching(`id eq "${ids.cy}"`)).toEqual(['cy']);
    expect(await matching(`groups.value eq "${ids.group}"`)).toEqual(['ada']);
    expect(await matching(`groups[value eq "${ids.group}"]`)).toEqual(['ada']);
    const groups = await directory.ask(
      'GET',
      `/Groups?filter=${encodeURIComponent(`displayName eq "TEAM" and members.value eq "${ids.ada}"`)}`,
    );
    expect(groups.body.totalResults).toBe(1);
  });

  test.each([
    'userName',
    'userName eq',
    'userName eq ada',
    'userName is "ada"',
    'eq "ada"',
    '(userName eq "a"',
    'userName eq "a")',
    'userName eq "a" and',
    'emails[type eq "work"',
    'not userName eq "a"',
    'userName eq "a" userName eq "b"',
    'unknown eq "a"',
    'name eq "a"',
    'active gt true',
    'active eq "maybe"',
    'meta.created gt "yesterday"',
    'meta.created gt "+275760-09-13T00:00:00Z"',
    'meta.created gt "-000001-01-01T00:00:00Z"',
    'meta.created gt "0000-12-31T00:00:00Z"',
    'userName eq "\\ud800"',
    'userName eq "\\u0000"',
    'password eq "x"',
    `${'('.repeat(5000)}userName pr${')'.repeat(5000)}`,
    `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
    Array.from({ length: 300 }, () => 'title pr').join(' or '),
    '"; drop table scim_users; --',
  ])('%.60s gets 400 invalidFilter', async (filter) => {
    const said = await directory.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([said.status, said.body.scimType]).toEqual([400, 'invalidFilter']);
  });

  test('many alternatives are answered quickly', async () => {
    const pair = '(userName eq "a" or userName eq "b")';
    expect(await matching(Array.from({ length: 40 }, () => pair).join(' and '))).toEqual([]);
  });

  describe('of 2,000 resources, as the application’s role', () => {
    let org: OrgId;
    beforeAll(async () => {
      org = orgId.parse((await newOrganization(app)).user.orgId);
      await app.owner.query(`insert into accounts (id, email, first_name, last_name)
        select gen_random_uuid(), 'many-' || n || '@directory.example', 'M', n::text from generate_series(1, 2000) n`);
      await app.owner.query(
        `insert into memberships (org_id, account_id, role)
          select $1, id, 'VIEWER' from accounts where first_name = 'M'`,
        [org],
      );
      await app.owner.query(
        `insert into scim_groups (id, org_id, display_name, external_id)
          select gen_random_uuid(), $1, 'many-' || n, 'e' || n from generate_series(1, 2000) n`,
        [org],
      );
      await app.owner.query(
        "update scim_users set external_id = user_name where user_name like 'many-%'",
      );
      await app.owner.query('analyze scim_users, scim_groups');
    });

    // Row-level security prevents the use of an index if a condition calls a function that is not leakproof,
    // such as `lower`.
    test.each([
      [
        userType,
        userPlaces,
        'userName eq "MANY-7@directory.example"',
        'scim_users_user_name',
        'user_name_key',
      ],
      [
        userType,
        userPlaces,
        'externalId eq "many-7@directory.example"',
        'scim_users_external_id',
        'external_id',
      ],
      [userType, userPlaces, `id eq "${nobody}"`, 'scim_users_pkey', 'account_id'],
      [
        groupType,
        groupPlaces,
        'displayName eq "MANY-7"',
        'scim_groups_display_name',
        'display_name_key',
      ],
      [groupType, groupPlaces, 'externalId eq "e7"', 'scim_groups_external_id', 'external_id'],
    ])('%#: an equality uses its index', async (type, places, text, index, column) => {
      const table = type === userType ? 'scim_users' : 'scim_groups';
      const condition = filterSql(type, places, parseFilter(text));
      const plan = await app.services.database.connection(org, async ({ db }) => {
        const asked = sql`explain select 1 from ${sql.raw(table)} s where s.org_id = ${org} and ${condition}`;
        return JSON.stringify((await db.execute(asked)).rows);
      });
      expect(plan).toMatch(new RegExp(`using ${index} .*Index Cond: [^"]*${column} = `));
    });
  });
});

describe('pages', () => {
  test('startIndex and count choose a page, and totalResults counts all', async () => {
    const { body } = await directory.ask('GET', '/Users?startIndex=2&count=1&sortBy=userName');
    expect(body).toMatchObject({ startIndex: 2, itemsPerPage: 1, totalResults: 4 });
    expect(nameOf(body.Resources[0]?.userName)).toBe('ben');
    const none = await directory.ask('GET', '/Users?count=0');
    expect(none.body).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] });
  });

  test.each([
    ['startIndex=0&count=-5', 200],
    ['startIndex=-3', 200],
    ['startIndex=99999999999999999999', 200],
    ['count=1000000', 200],
    ['count=all', 400],
    ['startIndex=1.5', 400],
  ])('%s answers %i', async (query, status) => {
    expect((await directory.ask('GET', `/Users?${query}`)).status).toBe(status);
  });

  test('sortBy ignores case, works in both directions, and puts missing values last', async () => {
    expect(await found('sortBy=name.familyName')).toEqual(['ben', 'ada', 'cy']);
    expect(await found('sortBy=name.familyName&sortOrder=descending')).toEqual([
      'cy',
      'ada',
      'ben',
    ]);
    expect(await found('sortBy=title&filter=userName%20ew%20%22directory.example%22')).toEqual([
      'ben',
      'ada',
      'cy',
    ]);
    expect(await found('sortBy=emails.value&count=1')).toEqual(['ada']);
    expect((await directory.ask('GET', '/Users?sortBy=unknown')).status).toBe(400);
  });

  test('attributes and excludedAttributes select what is returned; id always is', async () => {
    const path = `/Users/${ids.ada}`;
    const only = await directory.ask(
      'GET',
      `${path}?attributes=userName,name.givenName,${enterprise}:department`,
    );
    expect(only.body).toEqual({
      schemas: expect.any(Array),
      id: ids.ada,
      userName: 'ada@directory.example',
      name: { givenName: 'Ada' },
      [enterprise]: { department: 'North' },
    });
    const without = await directory.ask(
      'GET',
      `${path}?excludedAttributes=emails,name.familyName,id,groups`,
    );
    expect(without.body).toMatchObject({ id: ids.ada, name: { givenName: 'Ada' } });
    expect(without.body).not.toHaveProperty('emails');
  });

  test('R27-B5: a list costs what is read for it, also where it shows only some of it', async () => {
    const made = vi.spyOn(AnswerReader.prototype, 'made');
    const all = await directory.ask('GET', '/Users');
    const read = () => made.mock.calls.at(-1)?.[0] ?? 0;
    const whole = read();
    expect(whole).toBeGreaterThan(100);
    const some = await directory.ask('GET', '/Users?attributes=userName');
    expect(read()).toBe(whole);
    expect(JSON.stringify(some.body).length).toBeLessThan(JSON.stringify(all.body).length);
    made.mockRestore();
  });

  test('B5: a request names at most a hundred attributes', async () => {
    const named = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`);
    for (const member of ['attributes', 'excludedAttributes']) {
      const asked = (count: number) =>
        directory.ask('POST', '/Groups/.search', { [member]: named(count) });
      expect(await asked(101)).toMatchObject({
        status: 400,
        body: { scimType: 'invalidValue', detail: expect.stringContaining('100 attributes') },
      });
      expect((await asked(100)).status).toBe(200);
      const long = { [member]: ['.'.repeat(201)] };
      expect((await directory.ask('POST', '/Groups/.search', long)).status).toBe(400);
      const path = `/Users?${member}=${named(101).join()}`;
      expect((await directory.ask('GET', path)).status).toBe(400);
    }
  });

  test('a list can be queried by POST', async () => {
    const said = await directory.ask('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'userName sw "a"',
      attributes: ['userName'],
      count: 10,
    });
    expect(said).toMatchObject({ status: 200, body: { totalResults: 1 } });
    expect(Object.keys(said.body.Resources[0] ?? {}).sort()).toEqual(['id', 'schemas', 'userName']);
  });
});
