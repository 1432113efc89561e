import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a busy machine may take longer than Fastify’s ten seconds to register the routes', () => {
  expect(app.http.initialConfig.pluginTimeout).toBeGreaterThanOrEqual(60_000);
});
