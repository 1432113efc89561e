import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.2' });
});
afterAll(() => app.close());

test('R21-1: one’s own, right password is compared a few times', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const confirm = async (visitor: typeof ada) =>
    (await visitor.send('POST', '/api/user/confirm', { password: 'correct horse' })).status;
  const statuses: number[] = [];
  for (let turn = 0; turn < 13; turn += 1) statuses.push(await confirm(ada));
  expect(statuses).toEqual([...Array(12).fill(204), 429]);
  expect(await confirm(ben)).toBe(204);
});
