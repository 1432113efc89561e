import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

const lines: Record<string, unknown>[] = [];
const sink = new Writable({
  write: (chunk, _encoding, done) => {
    lines.push(JSON.parse(String(chunk)));
    done();
  },
});
let app: TestApp;
let http: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  app = await openTestApp();
  http = await buildApp({ ...app.services, log: pino(sink) }, { pagesDir: null });
});
afterAll(async () => {
  await http.close();
  await app.close();
});

test('the log records who was refused what and why, and no personal data of allowed requests', async () => {
  const admin = await newOrganization(app);
  const viewer = await newMember(app, admin, 'VIEWER');
  const ask = async (url: string, cookie: string, method: 'GET' | 'POST' = 'GET') => {
    lines.length = 0;
    await http.inject({ method, url, headers: { cookie } });
    return lines.find(({ msg }) => msg === 'request');
  };
  const accountId = viewer.user.id;
  expect(await ask('/api/audit-events', viewer.cookie)).toMatchObject({
    status: 403,
    accountId,
    code: 'forbidden',
  });
  expect(await ask('/api/audit-events?limit=x', viewer.cookie)).toMatchObject({ status: 400 });
  expect(await ask('/api/rooms', '')).toMatchObject({ status: 401, code: 'not_signed_in' });
  const allowed = await ask('/api/rooms', viewer.cookie);
  expect(allowed).toMatchObject({ status: 200 });
  expect(JSON.stringify(allowed)).not.toContain(accountId);
});
