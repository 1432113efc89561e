import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '1' });
});
afterAll(() => app.close());

test('R5-4: an account that reads the longest answers again and again is told to wait, a colleague is not', async () => {
  const ada = await newOrganization(app);
  const bea = await newMember(app, ada, 'AGENT');
  const { call } = await runningCall(ada);
  const body = { notesSnapshot: '"'.repeat(400_000) };
  await ada.call(updateCall, { params: { id: call.id }, body });
  const statuses: number[] = [];
  for (let n = 0; n < 26; n += 1) {
    statuses.push((await ada.send('GET', `/api/calls/${call.id}`)).status);
  }
  expect([statuses.slice(0, 15), statuses.at(-1)]).toEqual([Array(15).fill(200), 429]);
  const refused = await ada.send('GET', '/api/rooms');
  expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([
    429,
    expect.any(Number),
  ]);
  expect((await bea.send('GET', `/api/calls/${call.id}`)).status).toBe(200);
});
