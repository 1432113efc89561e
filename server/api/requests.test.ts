import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRate } from '#domain/api/rate.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { unusedReceiver } from '#server/testing/requests.ts';
import { organizationToken, personalToken, program } from '#server/testing/token-things.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { forgetAnswers } from './forget-answers.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  ada = await newOrganization(app);
});
afterAll(() => app.close());

const roomsNamed = async (topic: string) =>
  (await app.owner.query('select 1 from rooms where topic = $1', [topic])).rowCount;
const newProgram = async () =>
  program(app, (await personalToken(ada, ['rooms:write', 'rooms:read'])).token);
const keyed = (key: string) => ({ 'idempotency-key': key });

test('a POST that is sent again with its key is answered as before and runs once', async () => {
  const { token } = await organizationToken(ada, ['webhooks:write']);
  const send = program(app, token);
  const body = { url: unusedReceiver, events: ['room.archived'] };
  const first = await send('POST', '/api/webhooks', body, keyed('subscribe-1'));
  const again = await send('POST', '/api/webhooks', body, keyed('"subscribe-1"'));
  expect(first.status).toBe(201);
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect((await send('GET', '/api/webhooks')).body).toHaveLength(1);
  const { secret, id } = first.body as { secret: string; id: string };
  const { rows } = await app.owner.query('select a::text as row from api_answers a');
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect((await send('DELETE', `/api/webhooks/${id}`)).status).toBe(204);
  expect((await send('GET', '/api/webhooks')).body).toEqual([]);
});

test('R19-62: a long answer is not kept for its key, and the request runs once all the same', async () => {
  const { call, room } = await runningCall(ada);
  const notesSnapshot = 'x'.repeat(70_000);
  await ada.call(updateCall, { params: { id: call.id }, body: { notesSnapshot } });
  const send = program(app, (await personalToken(ada, ['calls:write', 'calls:read'])).token);
  const start = () => send('POST', '/api/calls', { roomId: room.id }, keyed('long'));
  expect(await start()).toMatchObject({ body: { id: call.id } });
  expect(await start()).toMatchObject({
    status: 409,
    body: { code: 'idempotency_answer_not_kept' },
  });
  const { rows } = await app.owner.query(
    'select max(length(answer_sealed)) as longest from api_answers',
  );
  expect(rows[0].longest).toBeLessThan(5_000);
});

test('a key with another body is 422, a long one 400, and another token’s key is its own', async () => {
  const send = await newProgram();
  expect((await send('POST', '/api/rooms', { topic: 'One' }, keyed('k'))).status).toBe(201);
  expect(await send('POST', '/api/rooms', { topic: 'Two' }, keyed('k'))).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  expect(
    await send('POST', '/api/rooms', { topic: 'Two' }, keyed('k'.repeat(10_000))),
  ).toMatchObject({
    status: 400,
    body: { code: 'idempotency_key_malformed' },
  });
  expect(await roomsNamed('Two')).toBe(0);
  const other = await newProgram();
  expect((await other('POST', '/api/rooms', { topic: 'Two' }, keyed('k'))).status).toBe(201);
});

test('while the first request is in progress, its repetition is 409', async () => {
  const send = await newProgram();
  const post = () => send('POST', '/api/rooms', { topic: 'At once' }, keyed('busy'));
  await app.owner.query('begin');
  await app.owner.query('lock table rooms in share mode');
  const first = post();
  await waitingForLocks(app);
  expect(await post()).toMatchObject({
    status: 409,
    body: { code: 'idempotency_key_in_progress' },
    headers: { 'retry-after': '1' },
  });
  await app.owner.query('rollback');
  expect((await first).status).toBe(201);
  expect((await post()).status).toBe(201);
  expect(await roomsNamed('At once')).toBe(1);
});

test('a refused request keeps no key, and an answer is kept for 24 hours', async () => {
  const send = await newProgram();
  const post = (topic: string) =>
    send('POST', '/api/rooms', { topic, playbookId: ada.user.id }, keyed('r'));
  expect((await post('Refused')).status).toBe(404);
  expect((await send('POST', '/api/rooms', { topic: 'Kept' }, keyed('r'))).status).toBe(201);
  const count = async () => (await app.owner.query('select 1 from api_answers')).rowCount ?? 0;
  const before = await count();
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000);
  await forgetAnswers(app.services.database, hours(23.9));
  expect(await count()).toBe(before);
  await forgetAnswers(app.services.database, hours(24.1));
  expect(await count()).toBe(0);
});

test('a token has a limit of requests, which answers tell, and which holds in all processes', async () => {
  const { id, token } = await personalToken(ada, ['rooms:read']);
  const send = program(app, token);
  const first = await send('GET', '/api/rooms');
  expect(first.headers['ratelimit-policy']).toBe(
    `"token";q=${apiRate.most};w=${apiRate.windowSeconds}`,
  );
  expect(first.headers.ratelimit).toMatch(/^"token";r=599;t=(60|59)$/);
  // As other processes count.
  await app.owner.query('update api_token_uses set uses = $2 where token_id = $1', [
    id,
    apiRate.most - 2,
  ]);
  const statuses = await Promise.all(
    [1, 2, 3].map(async () => (await send('GET', '/api/rooms')).status),
  );
  expect(statuses.sort()).toEqual([200, 200, 429]);
  expect((await send('GET', '/api/rooms')).headers).toMatchObject({
    'retry-after': expect.any(String),
    ratelimit: expect.stringMatching(/^"token";r=0;t=\d+$/),
  });
  await app.owner.query("update api_token_uses set window_at = now() - interval '61 seconds'");
  expect((await send('GET', '/api/rooms')).status).toBe(200);
});
