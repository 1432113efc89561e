import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '1' });
});
afterAll(() => app.close());

test('R5-4: an account that repeatedly reads the longest answers is throttled', async () => {
  const ada = await newOrganization(app);
  const bea = await newMember(app, ada, 'AGENT');
  const { call } = await runningCall(ada);
  const body = { notesSnapshot: '"'.repeat(400_000) };
  await ada.call(updateCall, { params: { id: call.id }, body });
  const path = `/api/calls/${call.id}`;
  // Requests twice the burst of an account in parallel, before any of the answers is counted.
  const replies = await Promise.all(Array.from({ length: 40 }, () => ada.send('GET', path)));
  expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(200));
  const refused = await ada.send('GET', '/api/rooms');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await bea.send('GET', path)).status).toBe(200);
});
