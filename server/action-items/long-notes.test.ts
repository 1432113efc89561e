import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recordStatements } from '#server/testing/query-plans.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

const record = recordStatements();
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let callId: string;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  callId = (await runningCall(ada)).call.id;
  await ada.send('PUT', `/api/calls/${callId}`, { notesSnapshot: 'Ada: I will call the bank.' });
});
afterAll(() => {
  record.end();
  return app.close();
});

const conversationText = 'Ada: this is a great start, and we are happy about it.';
test.each([
  ['GET', '/api/calls/:id/action-items', undefined],
  ['POST', '/api/calls/:id/action-items', { title: 'Call back' }],
  ['GET', '/api/calls/:id/chat', undefined],
  ['POST', '/api/ai/analyze-sentiment', { conversationText }],
  ['POST', '/api/ai/generate-coaching', { conversationText }],
])('R14-6: %s %s reads no notes, which are not in its answer', async (method, path, body) => {
  record.sent.clear();
  record.isOn = true;
  const reply = await ada.send(method, path.replace(':id', callId), body && { callId, ...body });
  record.isOn = false;
  expect(reply.status).toBeLessThan(300);
  const texts = [...record.sent.keys()];
  expect(texts.some((text) => text.includes('from calls'))).toBe(true);
  expect(texts.filter((text) => text.includes('.notes_snapshot'))).toEqual([]);
});

test('R14-7: of the requests that wait for the analyzer, only three of an organization have read their notes', async () => {
  const analyzer = Promise.withResolvers<[]>();
  const analyzed = vi
    .spyOn(app.services.ai, 'findActionItems')
    .mockImplementation(() => analyzer.promise);
  const statuses: number[] = [];
  const replies = Array.from({ length: 60 }, async () => {
    const { status } = await ada.send('POST', `/api/calls/${callId}/action-items/generate`, {});
    statuses.push(status);
  });
  await expect.poll(() => statuses, { timeout: 10_000 }).toEqual(Array(7).fill(429));
  await expect.poll(() => analyzed.mock.calls.length, { timeout: 10_000 }).toBe(3);
  analyzer.resolve([]);
  await Promise.all(replies);
  expect(statuses.filter((status) => status === 200)).toHaveLength(53);
});
