import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRoom } from '#domain/rooms/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import {
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  updateWebhook,
} from '#domain/webhooks/contract.ts';
import { safeFetchFor } from '#server/platform/safe-fetch.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { WebhookReceiver } from '#server/testing/webhook-receiver.ts';
import { type Delivering, deliverDue, startDelivering } from './deliver-due.ts';

let app: TestApp;
let slow: WebhookReceiver;
let quick: WebhookReceiver;
let processes: Delivering[];
beforeAll(async () => {
  app = await openTestApp({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
});
afterAll(() => app.close());
beforeEach(async () => {
  processes = [];
  slow = await new WebhookReceiver().open();
  quick = await new WebhookReceiver().open();
});
afterEach(async () => {
  slow.close();
  quick.close();
  await Promise.all(processes.map((one) => one.stop()));
  await app.owner.query('delete from webhook_endpoints');
});

async function subscribed(url: string) {
  const admin = await newOrganization(app);
  const { id } = await admin.call(createWebhook, { body: { url, events: ['room.created'] } });
  return { admin, id };
}
const queueMany = (orgId: string | null, rooms: number) =>
  app.owner.query(
    `insert into rooms (id, org_id, topic, created_at)
      select gen_random_uuid(), $1, 'Room ' || n, now() from generate_series(1, $2) n`,
    [orgId, rooms],
  );

test('two processes keep 50 requests to a receiver in progress, and others are not delayed', async () => {
  const [eve, ben] = [await subscribed(slow.url), await subscribed(quick.url)];
  await queueMany(eve.admin.user.orgId, 120);
  let now = 0;
  let most = 0;
  const hold = Promise.withResolvers<void>();
  slow.reply = async () => {
    now += 1;
    most = Math.max(most, now);
    await hold.promise;
    now -= 1;
    return { status: 204 };
  };
  const other = app.openDatabase();
  processes = [
    startDelivering(app.services),
    startDelivering({ ...app.services, database: other }),
  ];
  try {
    await expect.poll(() => now, { timeout: 20_000 }).toBe(50);
    await ben.admin.call(createRoom, { body: { topic: 'Mine' } });
    await expect.poll(() => quick.types, { timeout: 20_000 }).toEqual(['room.created']);
    expect(now).toBe(50);
    hold.resolve();
    await expect.poll(() => slow.received.length, { timeout: 30_000 }).toBe(120);
    expect(most).toBe(50);
    expect(new Set(slow.received.map(({ event }) => event.id)).size).toBe(120);
    await Promise.all(processes.map((one) => one.stop()));
  } finally {
    await other.close();
  }
});

test('R19-55: quick receivers get 50 deliveries a second each, and those of an organization 100', async () => {
  const { admin } = await subscribed(quick.url);
  for (const url of [`${quick.url}/2`, `${quick.url}/3`])
    await admin.call(createWebhook, { body: { url, events: ['room.created'] } });
  await queueMany(admin.user.orgId, 60);
  expect(await deliverDue(app.services)).toBe(100);
  const { rows } = await app.owner.query(
    `select count(*)::integer as made, bool_and(case
        when sending_until is null then finished_at >= first_try_at + interval '1 second'
        else sending_until = first_try_at + interval '1 second'
      end) as "isPlace"
      from webhook_deliveries where state = 'delivered' group by endpoint_id`,
  );
  expect(rows.every(({ made, isPlace }) => made <= 50 && isPlace)).toBe(true);
  const placesEnd = (at: string) =>
    app.owner.query(
      `update webhook_deliveries set sending_until = ${at} where state = 'delivered'`,
    );
  await placesEnd(`now() + interval '1 minute'`);
  expect(await deliverDue(app.services)).toBe(0);
  await placesEnd('null');
  expect(await deliverDue(app.services)).toBe(80);
});

test('a delivery of a process that ended is made by another one', async () => {
  const { admin, id } = await subscribed(quick.url);
  await admin.call(createRoom, { body: { topic: 'One' } });
  await app.owner.query(`select * from take_due_webhooks(10, 50, 100, 60)`);
  expect(await deliverDue(app.services)).toBe(0);
  await app.owner.query(`update webhook_deliveries set next_try_at = now(), sending_until = now()`);
  expect(await deliverDue(app.services)).toBe(1);
  expect(quick.types).toEqual(['room.created']);
  expect(await admin.call(listWebhookDeliveries, { params: { id } })).toMatchObject([
    { state: 'delivered', attempts: 2 },
  ]);
});

test('the turn of an organization with few deliveries comes before the rest of another’s', async () => {
  const [eve, ben] = [await subscribed(slow.url), await subscribed(quick.url)];
  await queueMany(eve.admin.user.orgId, 40);
  await ben.admin.call(createRoom, { body: { topic: 'Mine' } });
  const { rows } = await app.owner.query('select org_id from take_due_webhooks(2, 50, 100, 60)');
  expect(rows.map(({ org_id }) => org_id).toSorted()).toEqual(
    [eve.admin.user.orgId, ben.admin.user.orgId].toSorted(),
  );
});

test('R16-1: events that wait for an earlier one are passed over once, and are due after it', async () => {
  const { admin } = await subscribed(slow.url);
  await admin.call(createRoom, { body: { topic: 'One' } });
  const { rows } = await app.owner.query('select id, order_key from webhook_deliveries');
  await app.owner.query(
    `select count(emit_webhook_event($1, 'room.created', $2, $2, null)) from generate_series(1, 500)`,
    [admin.user.orgId, rows[0]?.order_key],
  );
  const dueNow = async () => {
    const due = `select count(*)::integer as n from webhook_deliveries
      where state = 'waiting' and next_try_at <= now()`;
    return (await app.owner.query(due)).rows[0]?.n;
  };
  const take = () => app.owner.query('select id from take_due_webhooks(10, 50, 100, 60)');
  expect((await take()).rows).toEqual([{ id: rows[0]?.id }]);
  expect(await dueNow()).toBe(301);
  for (let look = 0; look < 2; look += 1) expect((await take()).rows).toEqual([]);
  expect(await dueNow()).toBe(0);
  await app.owner.query(`update webhook_deliveries set next_try_at = now() where id = $1`, [
    rows[0]?.id,
  ]);
  expect(await deliverDue(app.services)).toBe(1);
  expect(await dueNow()).toBe(1);
  expect(await deliverDue(app.services)).toBe(1);
  expect(slow.received).toHaveLength(2);
});

test('R16-2: a webhook whose secret cannot be read is tried later and later, and ends', async () => {
  const { admin, id } = await subscribed(quick.url);
  await admin.call(createRoom, { body: { topic: 'One' } });
  await app.owner.query(`update webhook_endpoints set secret_sealed = 'v1.00000000.AAAA'`);
  await deliverDue(app.services);
  const [delivery] = await admin.call(listWebhookDeliveries, { params: { id } });
  const { body } = await admin.send('GET', `/api/webhook-deliveries/${delivery?.id}`);
  expect(body).toMatchObject({
    state: 'waiting',
    log: [{ status: null, failure: 'internal', response: null }],
  });
  await app.owner.query(
    `update webhook_deliveries set next_try_at = now(), first_try_at = now() - interval '25 hours'`,
  );
  await deliverDue(app.services);
  expect((await admin.send('GET', '/api/webhooks')).body).toMatchObject([
    { disabled: { reason: 'failing' } },
  ]);
  expect(quick.received).toEqual([]);
});

test('R16-9, R17-5: the application cannot store events, or send calls to a CRM, of an organization of its choice', async () => {
  const { admin } = await subscribed(quick.url);
  const { orgId } = admin.user;
  const text = "select emit_webhook_event($1, 'room.created', $1, null, null, '0')";
  const emit = app.services.database.connection('outside', ({ run }) =>
    run({ name: 'emit_for_another', text }, [orgId]),
  );
  await expect(emit).rejects.toThrow(/permission denied/);
  const sync = app.services.database.connection('outside', ({ run }) =>
    run({ name: 'sync_for_another', text: 'select queue_crm_sync($1, $1)' }, [orgId]),
  );
  await expect(sync).rejects.toThrow(/permission denied/);
});

test('R16-11: admins see which webhooks are those of former admins, until one confirms the address', async () => {
  const { admin } = await subscribed(quick.url);
  const eve = await newMember(app, admin, 'ORGADMIN');
  const body = { url: quick.url, events: ['room.created' as const] };
  const { id } = await eve.call(createWebhook, { body });
  const areOfAdmins = async () =>
    (await admin.call(listWebhooks, {})).map(({ isOfAdmin }) => isOfAdmin);
  expect(await areOfAdmins()).toEqual([true, true]);
  await admin.call(removeUser, { params: { id: eve.user.id } });
  expect(await areOfAdmins()).toEqual([true, false]);
  await admin.call(updateWebhook, { params: { id }, body: { url: quick.url } });
  expect(await areOfAdmins()).toEqual([true, true]);
});

test('attack 35: no request reaches a private address, not by a name that was public before either', async () => {
  const { admin, id } = await subscribed('https://receiver.example/hook');
  const asked: string[] = [];
  const fetch = safeFetchFor(undefined, async (name) => {
    asked.push(name);
    return [{ address: '169.254.169.254', family: 4 }];
  });
  await admin.call(createRoom, { body: { topic: 'One' } });
  const { outside } = app.services;
  await deliverDue({ ...app.services, outside: { ...outside, fetch } });
  expect(asked).toEqual(['receiver.example']);
  const [delivery] = await admin.call(listWebhookDeliveries, { params: { id } });
  const { body } = await admin.send('GET', `/api/webhook-deliveries/${delivery?.id}`);
  expect(body).toMatchObject({ log: [{ status: null, failure: 'private_target' }] });

  for (const url of [
    'https://127.0.0.2/hook',
    'https://169.254.169.254/latest',
    'https://[::1]/hook',
    'http://203.0.114.1/hook',
    'https://0x7f000002/hook',
    'https://user:password@203.0.114.1/hook',
  ]) {
    const refused = await admin.send('POST', '/api/webhooks', { url, events: ['room.created'] });
    expect([url, refused.status]).toEqual([url, 400]);
  }
});
