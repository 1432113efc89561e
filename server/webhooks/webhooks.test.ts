import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addActionItem } from '#domain/action-items/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { loadSamples } from '#domain/samples/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import {
  createWebhook,
  listWebhookDeliveries,
  type MadeWebhook,
  readWebhookDelivery,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '#domain/webhooks/contract.ts';
import { type WebhookEventType, webhookEventTypes } from '#domain/webhooks/event-types.ts';
import { webhookData } from '#domain/webhooks/events.ts';
import { StoredBytes } from '#server/platform/stored-bytes.ts';
import { deliverAll, everyEvent, skipDeliveryWaits } from '#server/testing/every-event.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { verifySigned, WebhookReceiver } from '#server/testing/webhook-receiver.ts';
import { deliverDue } from './deliver-due.ts';
import { chargeDeliveries, forgetOldDeliveries } from './jobs.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await openTestApp({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver = await new WebhookReceiver().open();
  ada = await newOrganization(app);
});
afterEach(async () => {
  receiver.close();
  await app.owner.query('delete from webhook_endpoints');
});

const subscribe = (
  events: readonly WebhookEventType[] = webhookEventTypes,
  by: Visitor = ada,
  url = receiver.url,
): Promise<MadeWebhook> => by.call(createWebhook, { body: { url, events } });
const deliveriesOf = ({ id }: { id: string }) =>
  ada.call(listWebhookDeliveries, { params: { id } });
const only = async (webhook: { id: string }) => {
  const [delivery, ...more] = await deliveriesOf(webhook);
  if (!delivery || more.length > 0) throw new Error('One delivery was expected.');
  return delivery;
};
const detailsOf = (delivery: { id: string }) =>
  ada.call(readWebhookDelivery, { params: { id: delivery.id } });
const addItem = (callId: string, title: string) =>
  ada.call(addActionItem, { params: { id: callId }, body: { title } });
const stateOf = async ({ id }: { id: string }) => {
  const { rows } = await app.owner.query(
    'select disabled_reason as reason from webhook_endpoints where id = $1',
    [id],
  );
  return rows[0]?.reason;
};

test('every event arrives once, signed, in the declared shape, and without notes', async () => {
  const { secret } = await subscribe();
  await everyEvent(app, ada, 'A secret note');
  expect(receiver.types.toSorted()).toEqual(webhookEventTypes.toSorted());
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(
    webhookEventTypes.length,
  );
  for (const request of receiver.received) {
    const { event, headers } = request;
    verifySigned(secret, request);
    expect(headers['webhook-id']).toBe(event.id);
    expect(event.organizationId).toBe(ada.user.orgId);
    // The test event is not among the types that were compared above.
    const schema = webhookData[event.type as WebhookEventType];
    expect(schema.strict().parse(event.data)).toEqual(event.data);
  }
  expect(JSON.stringify(receiver.received)).not.toContain('secret note');
  expect(() => verifySigned(`whsec_${'A'.repeat(44)}`, receiver.received[0] as never)).toThrow();
});

test('only enabled webhooks get events, of types that they chose; sample data cause none', async () => {
  const webhook = await subscribe(['room.created']);
  await ada.call(loadSamples, { body: { language: 'en' } });
  await ada.call(inviteUser, { body: { email: 'x@example.com', role: 'AGENT' } });
  await ada.call(createRoom, { body: { topic: 'Renewal' } });
  await ada.call(updateWebhook, { params: { id: webhook.id }, body: { isEnabled: false } });
  await ada.call(createRoom, { body: { topic: 'Unheard' } });
  await deliverAll(app);
  expect(receiver.types).toEqual([]);
  expect(await only(webhook), 'what waits for a disabled one is given up').toMatchObject({
    state: 'failed',
  });
  await ada.call(updateWebhook, { params: { id: webhook.id }, body: { isEnabled: true } });
  const failed = await only(webhook);
  await ada.call(replayWebhookDelivery, { params: { id: failed.id } });
  await deliverAll(app);
  expect(receiver.received.map(({ event }) => event.data)).toMatchObject([{ topic: 'Renewal' }]);
});

test('the events of a call arrive in order, after retries, while those of other calls go on', async () => {
  const webhook = await subscribe(['action_item.created']);
  const [first, second] = [(await runningCall(ada)).call, (await runningCall(ada)).call];
  await addItem(first.id, 'One');
  await addItem(first.id, 'Two');
  await addItem(second.id, 'Other');
  receiver.reply = ({ data }) => ({ status: data.title === 'One' ? 500 : 200, body: 'Oh no' });
  await deliverAll(app);
  const titles = () => receiver.received.map(({ event }) => event.data.title);
  expect(titles().toSorted()).toEqual(['One', 'Other']);
  const failing = (await deliveriesOf(webhook)).at(-1);
  expect(await detailsOf(failing as never)).toMatchObject({
    state: 'waiting',
    attempts: 1,
    lastStatus: 500,
    request: { url: receiver.url, body: expect.stringContaining('"One"') },
    log: [{ status: 500, failure: null, response: 'Oh no' }],
  });
  receiver.reply = () => ({ status: 200 });
  await skipDeliveryWaits(app);
  await deliverAll(app);
  expect(titles().slice(2)).toEqual(['One', 'Two']);
  expect(receiver.received[2]?.event.id, 'a repetition has the same id').toBe(
    receiver.received.find(({ event }) => event.data.title === 'One')?.event.id,
  );
});

test('a receiver that is busy is left alone for as long as it asks', async () => {
  const webhook = await subscribe(['room.created']);
  receiver.reply = () => ({ status: 429, headers: { 'retry-after': '1800' } });
  await ada.call(createRoom, { body: { topic: 'One' } });
  await deliverAll(app);
  await ada.call(createRoom, { body: { topic: 'Two' } });
  await deliverAll(app);
  expect(receiver.received).toHaveLength(1);
  const [, waiting] = await deliveriesOf(webhook);
  const minutes = (Date.parse(waiting?.nextTryAt ?? '') - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(29);
  expect(minutes).toBeLessThanOrEqual(30);
});

test('410 disables a webhook at once, and its admins get a mail', async () => {
  const webhook = await subscribe(['room.created']);
  receiver.reply = () => ({ status: 410 });
  await ada.call(createRoom, { body: { topic: 'One' } });
  await deliverAll(app);
  expect(await stateOf(webhook)).toBe('gone');
  const { rows } = await app.owner.query(
    `select body_text from mails where recipient = $1 and kind = 'notice'`,
    [ada.user.email],
  );
  expect(rows).toMatchObject([{ body_text: expect.stringContaining('410 Gone') }]);
  const events = await app.owner.query(
    `select metadata from audit_events where entity_id = $1 and action = 'WEBHOOK_DISABLED'`,
    [webhook.id],
  );
  expect(events.rows).toEqual([{ metadata: { reason: 'gone' } }]);
});

test.each([
  [false, 'failing'],
  [true, null],
])(
  'after 24 hours of failures a webhook is disabled, unless it takes other events (%s)',
  async (takesOthers, reason) => {
    const webhook = await subscribe(['room.created']);
    receiver.reply = ({ data }) => ({ status: data.topic === 'Bad' ? 500 : 200 });
    await ada.call(createRoom, { body: { topic: 'Bad' } });
    await deliverAll(app);
    if (takesOthers) {
      await ada.call(createRoom, { body: { topic: 'Good' } });
      await deliverAll(app);
    }
    await app.owner.query(
      `update webhook_deliveries set first_try_at = first_try_at - interval '24 hours', next_try_at = now()`,
    );
    await deliverAll(app);
    await deliverAll(app);
    expect((await deliveriesOf(webhook)).at(-1)).toMatchObject({
      state: 'failed',
      lastStatus: 500,
    });
    expect(await stateOf(webhook)).toBe(reason);
  },
);

test('a rotated secret signs beside the old one until that expires', async () => {
  const webhook = await subscribe(['room.created']);
  const params = { id: webhook.id };
  const { secret } = await ada.call(rotateWebhookSecret, { params });
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  await ada.call(testWebhook, { params });
  await deliverAll(app);
  const [both] = receiver.received;
  if (!both) throw new Error('A request was expected.');
  expect(both.event).toMatchObject({ type: 'webhook.test', data: { webhookId: webhook.id } });
  verifySigned(secret, both);
  verifySigned(webhook.secret, both);
  await app.owner.query('update webhook_endpoints set previous_secret_expires_at = now()');
  await ada.call(testWebhook, { params });
  await deliverAll(app);
  const one = receiver.received[1];
  if (!one) throw new Error('A second request was expected.');
  verifySigned(secret, one);
  expect(() => verifySigned(webhook.secret, one)).toThrow();
  const { rows } = await app.owner.query('select * from webhook_endpoints');
  expect(JSON.stringify(rows)).not.toContain('whsec_');
});

test('an answer is kept to its first 4 KB, and a redirect is not followed', async () => {
  const webhook = await subscribe(['room.created']);
  const headers = { location: 'http://169.254.169.254/latest/meta-data/' };
  receiver.reply = () => ({ status: 302, headers, body: 'x'.repeat(2_000_000) });
  await ada.call(createRoom, { body: { topic: 'One' } });
  await deliverAll(app);
  const { log } = await detailsOf(await only(webhook));
  expect(log).toMatchObject([{ status: 302, response: 'x'.repeat(4096) }]);
});

test('nothing of a deleted call or an erased person is left, and nothing of them is sent', async () => {
  const webhook = await subscribe(['action_item.created', 'call.scored', 'invitation.created']);
  const { call } = await runningCall(ada);
  receiver.reply = (event) => ({ status: 500, body: JSON.stringify(event) });
  await addItem(call.id, 'Call Rumpelstilzchen');
  await ada.call(inviteUser, { body: { email: 'rumpelstilzchen@example.com', role: 'AGENT' } });
  await deliverAll(app);
  const kept = async () => {
    let text = '';
    for (const table of ['endpoints', 'events', 'deliveries', 'attempts'])
      text += JSON.stringify((await app.owner.query(`select * from webhook_${table}`)).rows);
    return text.toLowerCase();
  };
  expect(await kept(), 'the receiver repeats it').toContain('rumpelstilzchen');
  await ada.send('POST', '/api/privacy/erase', { guest: 'rumpelstilzchen@example.com' });
  expect(await kept()).not.toContain('rumpelstilzchen');
  await app.owner.query('delete from calls where id = $1', [call.id]);
  const sent = receiver.received.length;
  await skipDeliveryWaits(app);
  await deliverAll(app);
  expect(receiver.received).toHaveLength(sent);
  expect(await only(webhook)).toMatchObject({ type: 'invitation.created', state: 'gone' });
});

test('an answer that arrives after an erasure is not stored', async () => {
  const webhook = await subscribe(['room.created']);
  await ada.call(inviteUser, { body: { email: 'late@example.com', role: 'AGENT' } });
  await ada.call(createRoom, { body: { topic: 'One' } });
  receiver.reply = async () => {
    await ada.send('POST', '/api/privacy/erase', { guest: 'late@example.com' });
    return { status: 500, body: 'late@example.com' };
  };
  await deliverAll(app);
  expect((await detailsOf(await only(webhook))).log).toMatchObject([
    { status: 500, response: null },
  ]);
});

test.each([
  ['deleted', 'delete from webhook_endpoints where id = $1'],
  [
    'disabled',
    `update webhook_endpoints set disabled_at = now(), disabled_reason = 'member' where id = $1`,
  ],
  ['moved', `update webhook_endpoints set url = 'https://elsewhere.example' where id = $1`],
])(
  'R25-A7: a webhook that was %s gets nothing more, also of what was taken before',
  async (_, change) => {
    const { id } = await subscribe(['room.created']);
    await ada.call(createRoom, { body: { topic: 'Secret' } });
    const { orgId } = ada.user;
    if (!orgId) throw new Error('There is no organization.');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = Array.from({ length: 8 }, (_, at) =>
      app.services.database.connection(orgId, () => released, { actorKey: `search ${at % 4}` }),
    );
    const delivering = deliverDue(app.services);
    try {
      await vi.waitFor(async () => {
        const taken =
          'select from webhook_deliveries where endpoint_id = $1 and sending_until is not null';
        expect((await app.owner.query(taken, [id])).rows).toHaveLength(1);
      });
      await app.owner.query(change, [id]);
    } finally {
      release();
    }
    await Promise.all([...holding, delivering]);
    expect(receiver.received).toEqual([]);
  },
);

test('R27-B3: deliveries count as stored by their organization, those of one minute', async () => {
  const { call } = await runningCall(ada);
  const other = await newOrganization(app);
  await runningCall(other);
  await subscribe(['action_item.created']);
  for (const title of ['One', 'Two', 'Three']) await addItem(call.id, title);
  const spend = vi.spyOn(StoredBytes.prototype, 'spend');
  await chargeDeliveries(app.services, new Date(Date.now() + 1_000));
  expect(spend.mock.calls.map(([{ orgId }, bytes]) => [orgId, bytes])).toEqual([
    [ada.user.orgId, 2_700],
  ]);
  await chargeDeliveries(app.services, new Date(Date.now() + 70_000));
  expect(spend).toHaveBeenCalledTimes(1);
  spend.mockRestore();
});

test('deliveries are kept for 30 days', async () => {
  const webhook = await subscribe(['room.created']);
  await ada.call(createRoom, { body: { topic: 'Old' } });
  await ada.call(createRoom, { body: { topic: 'New' } });
  await deliverAll(app);
  const [, old] = await deliveriesOf(webhook);
  await app.owner.query(
    `update webhook_events set created_at = now() - interval '30 days 1 minute' where id = $1`,
    [old?.eventId],
  );
  await forgetOldDeliveries(app.services.database, new Date());
  expect((await deliveriesOf(webhook)).length).toBe(1);
});

test('an organization has at most twenty webhooks, and their settings are checked', async () => {
  for (let count = 0; count < 20; count += 1) await subscribe(['room.created']);
  const send = (body: object) => ada.send('POST', '/api/webhooks', body);
  const events = ['room.created'];
  expect(await send({ url: receiver.url, events })).toMatchObject({
    status: 409,
    body: { code: 'most_webhooks' },
  });
  expect(await send({ url: 'ftp://example.com', events })).toMatchObject({
    body: { message: 'Please enter a URL that starts with https://' },
  });
  expect(await send({ url: receiver.url, events: [] })).toMatchObject({
    body: { message: 'Please choose at least one event' },
  });
});
