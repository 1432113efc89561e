import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScimToken, listScimTokens, rotateScimToken } from '#domain/scim/contract.ts';
import { Directory } from '#server/testing/directory.ts';
import { fakeBilling } from '#server/testing/fake-billing.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
let admin: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
  admin = await newOrganization(app);
});
afterAll(() => app.close());

const make = (expiresInDays: number | null = null) =>
  admin.call(createScimToken, { body: { name: 'Okta', expiresInDays } });
const works = async (token: string) =>
  (await new Directory(app, token).ask('GET', '/Users')).status === 200;

test('a token is shown once and stored as a hash; its last use is listed', async () => {
  const made = await make(90);
  expect(made.token).toMatch(/^rapport_scim_[\w-]{64}$/);
  const [listed] = await admin.call(listScimTokens);
  expect(listed).toMatchObject({ id: made.id, name: 'Okta', lastUsedAt: null, isReplaced: false });
  expect(JSON.stringify(listed)).not.toContain(made.token);
  const { rows } = await app.owner.query('select * from scim_tokens where id = $1', [made.id]);
  expect(JSON.stringify(rows)).not.toContain(made.token.slice(13));
  expect(await works(made.token)).toBe(true);
  expect((await admin.call(listScimTokens))[0]?.lastUsedAt).toEqual(expect.any(String));
});

test('a rotated token works for the overlap, and the new one immediately', async () => {
  const old = await make();
  const rotate = (id: string, overlapHours: number) =>
    admin.send('POST', `/api/scim-tokens/${id}/rotate`, { overlapHours });
  const next = await admin.call(rotateScimToken, {
    params: { id: old.id },
    body: { overlapHours: 24 },
  });
  expect([await works(old.token), await works(next.token)]).toEqual([true, true]);
  const listed = (await admin.call(listScimTokens)).find(({ id }) => id === old.id);
  expect(listed).toMatchObject({ isReplaced: true, expiresAt: expect.any(String) });
  await app.owner.query(
    "update scim_tokens set expires_at = now() - interval '1 second' where id = $1",
    [old.id],
  );
  expect([await works(old.token), await works(next.token)]).toEqual([false, true]);
  expect((await rotate(old.id, 24)).status).toBe(404);
  const last = await rotate(next.id, 0);
  expect(last.status).toBe(201);
  expect(await works(next.token)).toBe(false);
});

test('a revoked token stops working immediately, and so does an expired one', async () => {
  const made = await make();
  expect(await works(made.token)).toBe(true);
  expect((await admin.send('DELETE', `/api/scim-tokens/${made.id}`)).status).toBe(204);
  expect(await works(made.token)).toBe(false);
  expect((await admin.send('DELETE', `/api/scim-tokens/${made.id}`)).status).toBe(404);
  const { id, token } = await make(30);
  await app.owner.query(
    "update scim_tokens set expires_at = now() - interval '1 second' where id = $1",
    [id],
  );
  expect(await works(token)).toBe(false);
});

test('a token keeps working for a while after the admin who created it has left', async () => {
  const other = await newOrganization(app);
  const directory = await Directory.of(app, other, 'other.example');
  await app.owner.query('delete from memberships where account_id = $1', [other.user.id]);
  expect((await directory.ask('GET', '/Users')).status).toBe(200);
});

test('a token needs a name, and one of the offered expiry times', async () => {
  const send = (body: object) => admin.send('POST', '/api/scim-tokens', body);
  expect(await send({ name: ' ', expiresInDays: null })).toMatchObject({
    status: 400,
    body: { message: 'Please name the token' },
  });
  expect((await send({ name: 'x', expiresInDays: 7 })).status).toBe(400);
});

test('an organization has at most twenty tokens', async () => {
  const other = await newOrganization(app);
  const send = () => other.send('POST', '/api/scim-tokens', { name: 'x', expiresInDays: null });
  for (let turn = 0; turn < 20; turn += 1) expect((await send()).status).toBe(201);
  expect(await send()).toMatchObject({ status: 409, body: { code: 'scim_tokens_full' } });
});

test('with billing, a token needs Enterprise: 402 with what to do', async () => {
  const paid = await openTestApp({}, { billing: fakeBilling() });
  const visitor = await newOrganization(paid);
  const send = () => visitor.send('POST', '/api/scim-tokens', { name: 'x', expiresInDays: null });
  expect(await send()).toMatchObject({ status: 402, body: { code: 'plan_limit_scim' } });
  await paid.owner.query("update organizations set plan = 'enterprise'");
  expect((await send()).status).toBe(201);
  await paid.close();
});

test('R4-9: an admin can rotate and adopt tokens at most thirty times in ten minutes', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  try {
    const admin = await newOrganization(strict);
    const rotate = () =>
      admin.send('POST', `/api/scim-tokens/${randomUUID()}/rotate`, { overlapHours: 0 });
    for (let n = 0; n < 30; n += 1) expect((await rotate()).status).toBe(404);
    expect((await rotate()).status).toBe(429);
    expect((await admin.send('POST', `/api/scim-tokens/${randomUUID()}/adopt`)).status).toBe(429);
  } finally {
    await strict.close();
  }
});
