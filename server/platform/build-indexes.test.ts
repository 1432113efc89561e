import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { buildIndexes } from './build-indexes.ts';

const name = 'calls_of_room_in_organization';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const indexes = async () =>
  (
    await app.owner.query<{ name: string; valid: boolean }>(
      `select c.relname as name, i.indisvalid as valid
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = 'calls'::regclass and c.relname like 'calls\\_of\\_room%'`,
    )
  ).rows;

test('a migrated database has the index, and not the one that it replaces', async () => {
  expect(await indexes()).toEqual([{ name, valid: true }]);
});

test('an index whose building was interrupted is built again, and the one before it stays until then', async () => {
  await app.owner.query('create index calls_of_room on calls (room_id, id desc)');
  await app.owner.query(
    'update pg_index set indisvalid = false where indexrelid = to_regclass($1)',
    [name],
  );
  await buildIndexes(app.owner);
  expect(await indexes()).toEqual([{ name, valid: true }]);
});

test('a missing index is built while a transaction writes to the table', async () => {
  await app.owner.query(`drop index ${name}`);
  const other = app.openOwnerDatabase();
  try {
    await other.connection('outside', async ({ query }) => {
      await query('begin', []);
      await query('lock table calls in row exclusive mode', []);
      const built = buildIndexes(app.owner);
      await query('update calls set last_seen_at = last_seen_at', []);
      await query('commit', []);
      await built;
    });
  } finally {
    await other.close();
  }
  expect(await indexes()).toEqual([{ name, valid: true }]);
});

test('no two indexes are alike', async () => {
  const { rows } = await app.owner.query<{ names: string[] }>(
    `select array_agg(indexname::text) as names from pg_indexes where schemaname = 'public'
      group by replace(replace(indexdef, 'UNIQUE ', ''), indexname, '') having count(*) > 1`,
  );
  expect(rows).toEqual([]);
});
