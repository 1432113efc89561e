import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { DomainError } from '#domain/errors.ts';
import { orgId } from '#domain/ids.ts';
import { Directory } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { tenantOf } from './access.ts';

/** What an account may have answered at once, and what may be in the making as that is used up. */
const burst = 16 * 1024 * 1024;
const overshoot = 8 * 1024 * 1024;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '1' });
});
afterAll(() => app.close());

/** The path of a call with 800 KB of notes. */
async function longCall(ada: Awaited<ReturnType<typeof newOrganization>>): Promise<string> {
  const { call } = await runningCall(ada);
  const body = { notesSnapshot: '"'.repeat(400_000) };
  await ada.call(updateCall, { params: { id: call.id }, body });
  return `/api/calls/${call.id}`;
}

interface Answered {
  status: number;
  headers: Record<string, unknown>;
}
const together = <T extends Answered>(count: number, ask: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, ask));
const bytesOf = (answers: Answered[]) =>
  answers.reduce((sum, { headers }) => sum + Number(headers['content-length']), 0);
const statusesOf = (answers: Answered[]) => new Set(answers.map(({ status }) => status));

test('R5-4: an account that repeatedly reads the longest answers is throttled', async () => {
  const ada = await newOrganization(app);
  const bea = await newMember(app, ada, 'AGENT');
  const path = await longCall(ada);
  await together(60, () => ada.send('GET', path));
  const refused = await ada.send('GET', '/api/rooms');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await bea.send('GET', path)).status).toBe(200);
});

test('R6-5: requests that an account sends together get no more answered than those that it sends in turn', async () => {
  const ada = await newOrganization(app);
  const path = await longCall(ada);
  const answers = await together(60, () => ada.send('GET', path));
  expect(statusesOf(answers)).toEqual(new Set([200, 429]));
  expect(bytesOf(answers)).toBeGreaterThan(burst);
  expect(bytesOf(answers)).toBeLessThan(burst + overshoot);
});

test('R6-5: the same holds for the requests of a SCIM token', async () => {
  const directory = await Directory.of(app, await newOrganization(app));
  const phoneNumbers = Array.from({ length: 50 }, (_, n) => ({ value: `${n}`.padEnd(900, '0') }));
  await together(10, () =>
    directory.ask('POST', '/Users', {
      userName: `${crypto.randomUUID()}@directory.example`,
      name: { familyName: 'Long' },
      phoneNumbers,
    }),
  );
  const answers = await together(70, () => directory.ask('GET', '/Users'));
  expect(statusesOf(answers)).toEqual(new Set([200, 429]));
  expect(bytesOf(answers)).toBeLessThan(burst + overshoot);
});

test('R6-5: a request whose change was saved is answered, whatever is answered meanwhile', async () => {
  const { user } = await newOrganization(app);
  const actor = { kind: 'system' as const, name: 'test', orgId: orgId.parse(user.orgId) };
  let isRefused = false;
  const tenant = tenantOf(app.services.database, actor, null, undefined, () => {
    if (isRefused) throw new DomainError('too_many', 'too_many_waiting', 'Wait.');
  });
  const change = () => tenant.transaction(async () => 'saved');
  await tenant.connection(async () => 'read');
  isRefused = true;
  await expect(tenant.connection(async () => 'read')).rejects.toThrow('Wait.');
  await expect(change()).rejects.toThrow('Wait.');
  isRefused = false;
  expect(await change()).toBe('saved');
  isRefused = true;
  expect(await tenant.connection(async () => 'read')).toBe('read');
});
