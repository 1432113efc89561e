import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentUser, register } from '#domain/auth/contract.ts';
import type { Database } from '#server/platform/database.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { Visitor } from '#server/testing/visitor.ts';
import { grantSuperadmin } from './grant-superadmin.ts';

let app: TestApp;
/** The owner's connection, as on the operator's command line. */
let database: Database;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  database = app.openOwnerDatabase();
});
afterAll(async () => {
  await database.close();
  await app.close();
});

async function founder(email: string): Promise<Visitor> {
  const visitor = new Visitor(app);
  const person = { password: 'long enough', firstName: 'V', lastName: 'W', orgName: 'Boss GmbH' };
  await visitor.call(register, { body: { email, ...person } });
  return visitor;
}
/** Grants, and returns what was asked. */
async function grant(email: string, answer: boolean): Promise<string[]> {
  const asked: string[] = [];
  await grantSuperadmin(database, email, async (question) => {
    asked.push(question);
    return answer;
  });
  return asked;
}
const roleOf = async (visitor: Visitor) => (await visitor.call(currentUser)).role;

test('G17: an account whose address was never confirmed becomes SUPERADMIN only after a question', async () => {
  const email = 'unconfirmed@grant.example';
  const visitor = await founder(email);
  expect(await grant(email, false)).toEqual([expect.stringContaining('was never confirmed')]);
  expect(await roleOf(visitor)).toBe('ORGADMIN');
  expect(await grant(email, true)).toHaveLength(1);
  expect(await roleOf(visitor)).toBe('SUPERADMIN');
});

test('an account whose address is confirmed becomes SUPERADMIN without a question', async () => {
  const email = 'confirmed@grant.example';
  const visitor = await founder(email);
  await visitor.send('POST', `/api/verify-email/${await mailedToken(app, email, 'verify-email')}`);
  expect(await grant(email, false)).toEqual([]);
  expect(await roleOf(visitor)).toBe('SUPERADMIN');
});
