import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('the figures are calculated from the calls: score, buckets and their day', async () => {
  const ada = await newOrganization(app);
  for (const npsScore of [10, 9, 7, 3]) {
    const { call } = await runningCall(ada);
    const body = { npsScore, endForEveryone: true };
    await ada.call(updateCall, { params: { id: call.id }, body });
  }
  const figures = await ada.call(readAnalytics);
  expect(figures.nps).toEqual({ promoters: 2, passives: 1, detractors: 1, score: 25 });
  expect(figures).toMatchObject({ totalCalls: 4, avgNpsScore: 7.3 });
  expect(figures.trends).toHaveLength(30);
  expect(figures.trends.at(-1)).toMatchObject({
    date: new Date().toISOString().slice(0, 10),
    calls: 4,
  });
});

test('a rater who scores a call again is counted once', async () => {
  const ada = await newOrganization(app);
  const ben = await newMember(app, ada, 'AGENT');
  const { call } = await runningCall(ada);
  for (const [who, npsScore] of [
    [ada, 2],
    [ben, 8],
    [ada, 9],
  ] as const) {
    await who.call(updateCall, { params: { id: call.id }, body: { npsScore } });
  }
  await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
  const { nps } = await ada.call(readAnalytics);
  expect(nps).toEqual({ promoters: 1, passives: 0, detractors: 0, score: 100 });
});

test('an organization without calls has no score, and thirty empty days', async () => {
  const figures = await (await newOrganization(app)).call(readAnalytics);
  expect(figures.nps.score).toBeNull();
  expect(figures.trends.every((day) => day.calls === 0)).toBe(true);
});
