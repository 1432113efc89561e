import { afterAll, beforeAll, expect, test } from 'vitest';
import { Directory, ownDomain } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

const members = 6;
const groups = 1_200;

let app: TestApp;
let directory: Directory;
let memberId: string;
beforeAll(async () => {
  app = await openTestApp();
  const admin = await newOrganization(app);
  directory = await Directory.of(app, admin);
  await ownDomain(app, admin, 'work.example');
  for (let n = 1; n < members; n += 1) memberId = (await newMember(app, admin, 'AGENT')).user.id;
  await app.owner.query(
    `with made as (
        insert into scim_groups (id, org_id, display_name)
        select gen_random_uuid(), $1, 'Group ' || n from generate_series(1, $2::int) n returning id
      )
      insert into scim_group_members (org_id, group_id, account_id)
      select $1, made.id, u.account_id from made cross join scim_users u where u.org_id = $1`,
    [admin.user.orgId, groups],
  );
});
afterAll(() => app.close());

test('R23-B6: a user lists 1,000 groups, in the same order each time', async () => {
  const first = await directory.ask('GET', `/Users/${memberId}`);
  expect(first.body.groups).toHaveLength(1_000);
  const again = await directory.ask('GET', `/Users/${memberId}`);
  expect(again.body.groups).toEqual(first.body.groups);
});

test('R23-B6: a page of users ends after 5,000 groups, and the next one continues', async () => {
  const page = await directory.ask('GET', '/Users');
  expect(page.body).toMatchObject({ totalResults: members, itemsPerPage: 5 });
  expect(page.body.Resources).toHaveLength(5);
  expect(page.body.Resources?.[0]?.groups).toHaveLength(1_000);
  const rest = await directory.ask('GET', '/Users?startIndex=6');
  expect(rest.body).toMatchObject({ totalResults: members, itemsPerPage: 1, startIndex: 6 });
  const short = await directory.ask('GET', '/Users?excludedAttributes=groups');
  expect(short.body.Resources).toHaveLength(members);
});
