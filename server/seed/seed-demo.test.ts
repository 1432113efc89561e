import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { login } from '#domain/auth/contract.ts';
import { listRooms } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { Visitor } from '#server/testing/visitor.ts';
import { password, people } from './demo-content.ts';
import { seedDemo } from './seed-demo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('the demo has 200 calls over 90 days that every login sees, and is created once', async () => {
  const now = new Date('2026-11-21T12:00:00Z');
  await seedDemo(app.services, now);
  await seedDemo(app.services, now);
  for (const { email } of people) {
    const visitor = new Visitor(app);
    await visitor.call(login, { body: { email, password } });
    expect(await visitor.call(readAnalytics)).toMatchObject({ totalCalls: 200 });
    expect(await visitor.call(listRooms)).toHaveLength(7);
  }
  const { rows } = await app.owner.query(
    `select count(*) filter (where ended_at is null)::int as running,
       min(started_at) > $1::timestamptz - interval '92 days' as recent,
       max(started_at) < $1 as past from calls`,
    [now],
  );
  expect(rows).toEqual([{ running: 0, recent: true, past: true }]);
});
