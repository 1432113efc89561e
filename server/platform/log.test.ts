import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountId } from '#domain/ids.ts';
import { accounts } from '#server/auth/tables.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newId } from './ids.ts';
import { errorForLog } from './log.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a failed statement is logged with PostgreSQL’s message, never with its values', async () => {
  const row = {
    id: newId(accountId),
    email: 'Not-Lower@example.com',
    passwordHash: 'a secret hash',
    firstName: 'Ada',
    lastName: 'Lovelace',
    createdAt: new Date(),
  };
  const failure = await app.services.database
    .connection('outside', ({ db }) => db.insert(accounts).values(row))
    .catch((error: unknown) => error);
  const logged = errorForLog(failure);
  expect(logged).toMatchObject({ code: '23514' });
  expect(JSON.stringify(logged)).not.toMatch(/secret hash|Not-Lower|Lovelace/);
});
