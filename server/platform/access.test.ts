import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { organizations } from '#server/organizations/tables.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { type TenantConnection, tenantOf } from './access.ts';
import type { Check, Database } from './database.ts';

let app: TestApp;
/** Of one connection, so that what one use leaves on it is seen by the next. */
let database: Database;
let first: OrgId;
let second: OrgId;
const newOrgId = async () => {
  const { orgId } = (await newOrganization(app)).user;
  if (!orgId) throw new Error('a new person has an organization');
  return orgId;
};
beforeAll(async () => {
  app = await openTestApp();
  database = app.openDatabase(1);
  [first, second] = [await newOrgId(), await newOrgId()];
});
afterAll(async () => {
  await database.close();
  await app.close();
});

const tenantWith = (orgId: OrgId, check: Check | null = null) =>
  tenantOf(database, { kind: 'system', name: 'test', orgId }, null, { asker: { check } });
const visible = async ({ db }: TenantConnection) =>
  (await db.select({ id: organizations.id }).from(organizations)).map(({ id }) => id);
const failing = { statement: { name: 'failing_check', text: 'select 1 / 0' }, values: [] };

test('a transaction that continues as another organization sees the rows of that one alone', async () => {
  await tenantWith(first).transaction(async (tx) => {
    expect(await visible(tx)).toEqual([first]);
    await tenantWith(second).continueTransaction(tx, async (next) => {
      expect(next.tenant.orgId).toBe(second);
      expect(await visible(next)).toEqual([second]);
    });
    expect(await visible(tx)).toEqual([second]);
  });
});

test.each([
  ['was committed', async () => undefined],
  [
    'failed',
    async () => {
      throw new Error('refused');
    },
  ],
])(
  'the connection names the first organization again once such a transaction %s',
  async (_, end) => {
    await tenantWith(first)
      .transaction((tx) => tenantWith(second).continueTransaction(tx, end))
      .catch(() => undefined);
    expect(await tenantWith(first).connection(visible)).toEqual([first]);
  },
);

test('it is not committed where the check of the organization that it continues as fails', async () => {
  const rename = (tx: TenantConnection) => tx.db.update(organizations).set({ name: 'Renamed' });
  const continued = tenantWith(first).transaction(async (tx) => {
    await rename(tx);
    await tenantWith(second, failing).continueTransaction(tx, rename);
  });
  await expect(continued).rejects.toThrow('division by zero');
  const { rows } = await app.owner.query("select 1 from organizations where name = 'Renamed'");
  expect(rows).toEqual([]);
});
