import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { leaveAccount } from './leave-account.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a deleted account keeps no text of its person until its row is deleted', async () => {
  const { user } = await newOrganization(app);
  const { rows } = await app.owner.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_name = 'accounts' and data_type in ('text', 'jsonb', 'ARRAY')`,
  );
  // A choice between two languages names no one.
  const texts = rows.map(({ name }) => name).filter((name) => name !== 'language');
  expect(texts).toContain('first_name');
  const own = texts.map((name) => `${name} = 'said by the person'`).join(', ');
  await app.owner.query(`update accounts set ${own} where id = $1`, [user.id]);
  await app.owner.query('delete from memberships where account_id = $1', [user.id]);
  await app.services.database.transaction('outside', (tx) => leaveAccount(tx, user.id));
  const kept = await app.owner.query('select * from accounts where id = $1', [user.id]);
  const left = texts.filter((name) => kept.rows[0][name] === 'said by the person');
  expect(left, 'empty them in server/auth/leave-account.ts').toEqual([]);
});
