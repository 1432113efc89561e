import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readCall } from '#domain/calls/contract.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { sendDailyEvent } from '#server/testing/daily-webhook.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  endStalled,
  expectAnswer,
  expectOneRefused,
  stall,
} from '#server/testing/stalled-request.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf } from '#server/testing/waiting-guest.ts';

const secret = randomBytes(32).toString('base64');
let daily: DailyStandIn;
let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;

beforeAll(async () => {
  daily = await new DailyStandIn().open();
  app = await openTestApp({ ...daily.settings, DAILY_WEBHOOK_SECRET: secret });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(async () => {
  await app.close();
  await daily.close();
});

const seconds = () => Math.floor(Date.now() / 1000);
interface Sent {
  timestamp?: string;
  key?: string;
  signature?: string;
  /** Sent in place of the signed body. */
  forged?: unknown;
}
function send(body: unknown, given: Sent = {}) {
  const timestamp = given.timestamp ?? String(seconds());
  const key = Buffer.from(given.key ?? secret, 'base64');
  const signed = createHmac('sha256', key)
    .update(`${timestamp}.${JSON.stringify(body)}`)
    .digest('base64');
  return new Visitor(app).send(
    'POST',
    '/api/webhooks/daily',
    JSON.stringify(given.forged ?? body),
    {
      'content-type': 'application/json',
      'x-webhook-timestamp': timestamp,
      'x-webhook-signature': given.signature ?? signed,
    },
  );
}
const room = () => `${ada.user.orgId}_${started.room.id}`;
const event = (type: string, payload: object, id: string = randomUUID()) => ({
  version: '1.0.0',
  type,
  id,
  event_ts: Date.now() / 1000,
  payload: { room: room(), ...payload },
});
const joined = (user_id: string, more: object = {}) =>
  event('participant.joined', {
    joined_at: seconds(),
    session_id: randomUUID(),
    user_id,
    user_name: 'Bo',
    owner: false,
    ...more,
  });
const left = (user_id: string, joined_at: number, duration: number) =>
  event('participant.left', {
    joined_at,
    duration,
    session_id: randomUUID(),
    user_id,
    user_name: 'Bo',
    owner: false,
  });
/** A guest who got a token of Daily's page. */
async function guestAtDaily(name = 'Bo'): Promise<string> {
  const token = await guestTokenOf(app, ada, started.room.id);
  await new Visitor(app).send('POST', '/api/hosted-admissions', { token, name });
  return String(daily.tokensAsked.at(-1)?.user_id);
}
const people = async () =>
  (
    await app.owner.query<{ id: string; name: string; left: boolean }>(
      `select id, name, left_at is not null as left from attendances where call_id = $1 order by name`,
      [started.call.id],
    )
  ).rows;
const lastSeen = (id: string, secondsAgo: number) =>
  app.owner.query(
    `update attendances set last_seen_at = now() - make_interval(secs => $2) where id = $1`,
    [id, secondsAgo],
  );

test('Daily’s test request before it creates a webhook is answered with 200', async () => {
  const { status } = await new Visitor(app).send('POST', '/api/webhooks/daily', { test: 'test' });
  expect(status).toBe(200);
});

test('attack 35: unsigned, wrongly signed, changed and stale webhooks get 400 and do nothing', async () => {
  const body = joined(randomUUID());
  const hour = 3600;
  for (const given of [
    { signature: '' },
    { signature: 'AAAA' },
    { key: '' },
    { key: randomBytes(32).toString('base64') },
    { forged: joined(randomUUID()) },
    { timestamp: String(seconds() - hour) },
    { timestamp: String(seconds() + hour) },
    { timestamp: 'now' },
  ]) {
    expect(await send(body, given)).toMatchObject({ status: 400, body: { code: 'bad_signature' } });
  }
  expect(await people()).toEqual([]);
  expect((await send(body, { timestamp: String(Date.now()) })).status, 'in milliseconds').toBe(200);
});

test('R7-11: of bodies above 16 KB, those without a signature of Daily’s form are refused before they are read', async () => {
  const stalled = (signature: string) =>
    stall(Number(new URL(url).port), [
      'POST /api/webhooks/daily HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 60000',
      `X-Webhook-Timestamp: ${seconds()}`,
      `X-Webhook-Signature: ${signature}`,
    ]);
  for (const signature of ['', 'AAAA']) await expectAnswer(stalled(signature), 400);
  const forged = randomBytes(32).toString('base64');
  await expectOneRefused(Array.from({ length: 55 }, () => stalled(forged)));
  endStalled();
});

test('a participant who joins at Daily attends once, in whatever order events arrive', async () => {
  const bo = await guestAtDaily();
  const told = joined(bo);
  await Promise.all([send(told), send(told), send(told)]);
  expect(await people()).toEqual([{ id: bo, name: 'Bo', left: false }]);
  await lastSeen(bo, 30);
  const gone = left(bo, seconds() - 20, 10);
  expect((await send(gone)).status).toBe(200);
  expect(await people()).toEqual([{ id: bo, name: 'Bo', left: true }]);
  await send(told);
  expect(await people(), 'the first, told again').toEqual([{ id: bo, name: 'Bo', left: true }]);
  await send(joined(bo));
  expect(await people(), 'came back').toEqual([{ id: bo, name: 'Bo', left: false }]);
});

test('the first guest at Daily starts the call, by the server’s clock', async () => {
  const { id } = started.call;
  await app.owner.query(`update calls set started_at = now() - interval '3 days' where id = $1`, [
    id,
  ]);
  await send(joined(await guestAtDaily()));
  const { startedAt } = await ada.call(readCall, { params: { id } });
  expect(Math.abs(Date.parse(startedAt) - Date.now())).toBeLessThan(10_000);
});

test('G3: who joins at Daily with a token that would not be made now is ejected, and attends nothing', async () => {
  const host = await enter(url, started.room.panelToken ?? '');
  const [bo, cy] = [await guestAtDaily('Bo'), await guestAtDaily('Cy')];
  await send(joined(bo));
  host.send({ type: 'lock', locked: true });
  await host.until('call-changed', ({ call }) => call.locked === true);
  daily.asked.length = 0;
  await send(joined(cy, { user_name: 'Cy' }));
  expect(await people()).toEqual(expect.arrayContaining([expect.objectContaining({ id: bo })]));
  expect((await people()).map(({ id }) => id)).not.toContain(cy);
  await vi.waitFor(() => expect(daily.ejections).toEqual([{ user_ids: [cy], ban: false }]));
});

test('R11A-4: who arrives in a room of ours without a stored token is ejected, and attends nothing', async () => {
  const bo = await guestAtDaily();
  await app.owner.query('delete from hosted_tokens where participant_id = $1', [bo]);
  daily.asked.length = 0;
  const elsewhere = `${ada.user.orgId}_${randomUUID()}`;
  await send(joined(randomUUID(), { room: elsewhere }));
  await send(joined(bo));
  await vi.waitFor(() => expect(daily.ejections).toEqual([{ user_ids: [bo], ban: false }]));
  expect(await people()).toEqual([]);
});

test('an old leave event does not end the attendance of a participant who reloaded the page', async () => {
  const bo = await enter(url, await guestTokenOf(app, ada, started.room.id), { name: 'Bo' });
  await vi.waitFor(async () => expect(await people()).toHaveLength(1));
  await send(left(bo.id, seconds() - 60, 30));
  expect(await people()).toEqual([{ id: bo.id, name: 'Bo', left: false }]);
});

test('the end of Daily’s meeting ends attendances not seen for a minute, and no call', async () => {
  const [bo, cy] = [await guestAtDaily('Bo'), await guestAtDaily('Cy')];
  await send(joined(bo));
  await send(joined(cy, { user_name: 'Cy' }));
  await lastSeen(bo, 90);
  await send(
    event('meeting.ended', { start_ts: seconds() - 600, end_ts: seconds(), meeting_id: 'm' }),
  );
  expect(await people()).toMatchObject([
    { name: 'Bo', left: true },
    { name: 'Cy', left: false },
  ]);
  const { endedAt } = await ada.call(readCall, { params: { id: started.call.id } });
  expect(endedAt).toBe(null);
});

test('staff attend by the page beside the call, so Daily’s event adds no second person', async () => {
  const id = String(daily.tokensAsked.at(-1)?.user_id);
  await send(joined(id, { owner: true, user_name: 'Ada' }));
  expect(await people()).toEqual([]);
});

test('events of other kinds, foreign rooms and unknown people are accepted without effect', async () => {
  for (const body of [
    event('recording.started', {}),
    joined('somebody'),
    { ...joined(randomUUID()), payload: { room: 'hello' } },
    joined(randomUUID(), { room: `${randomUUID()}_${started.room.id}` }),
    left('0190a000-0000-7000-8000-000000000009', seconds() - 10, 5),
    [],
    'text',
  ]) {
    expect((await send(body)).status).toBe(200);
  }
  expect(await people()).toEqual([]);
});

test('attack 7: a room name with another organization’s id affects no call', async () => {
  const ben = await newOrganization(app);
  await send(joined(randomUUID(), { room: `${ben.user.orgId}_${started.room.id}` }));
  expect(await people()).toEqual([]);
});

test('without the secret no webhook is accepted', async () => {
  const bare = await openTestApp(daily.settings);
  try {
    const { status } = await new Visitor(bare).send('POST', '/api/webhooks/daily', joined('x'));
    expect(status).toBe(404);
  } finally {
    await bare.close();
  }
});

test('R21-71: no signed event is refused, however many come, and unsigned ones are', async () => {
  const strict = await openTestApp({
    ...daily.settings,
    DAILY_WEBHOOK_SECRET: secret,
    RATE_LIMIT_SCALE: '1',
  });
  const statuses = new Map<number, number>();
  const count = async (count: number, make: () => Promise<{ status: number }>) => {
    statuses.clear();
    for (let n = 0; n < count; n += 1) {
      const { status } = await make();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    return [...statuses.keys()].sort();
  };
  try {
    const unknown = () => joined(randomUUID());
    expect(await count(700, () => sendDailyEvent(strict, secret, unknown()))).toEqual([200]);
    const forged = () => sendDailyEvent(strict, randomBytes(32).toString('base64'), unknown());
    expect(await count(700, forged)).toEqual([400, 429]);
  } finally {
    await strict.close();
  }
});
