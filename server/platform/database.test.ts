import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('statements are not compiled just in time, also where the server has that on', async () => {
  const { rows } = await app.owner.query('select current_database() as name');
  await app.owner.query(`alter database "${rows[0].name}" set jit = on`);
  const database = app.openDatabase(1);
  const statement = { name: 'jit', text: "select current_setting('jit') as jit" };
  expect(await database.connection('outside', ({ run }) => run(statement, []))).toEqual([
    { jit: 'off' },
  ]);
  expect(await database.lookUp(statement, [])).toEqual([{ jit: 'off' }]);
  await database.close();
});
