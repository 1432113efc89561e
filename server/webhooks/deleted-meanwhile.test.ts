import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { createWebhook } from '#domain/webhooks/contract.ts';
import { crmThings, unusedCrm } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { unusedReceiver } from '#server/testing/requests.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

// Changes that are told to others, while a receiver is being deleted.

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let deleting: pg.Client;
beforeAll(async () => {
  app = await openTestApp(unusedCrm);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await newOrganization(app);
  deleting = new pg.Client(app.ownerLogin);
  await deleting.connect();
  await deleting.query('begin');
});
afterEach(async () => {
  await deleting.query('rollback');
  await deleting.end();
});

const subscribe = async (...events: ('room.created' | 'member.removed')[]) =>
  (await ada.call(createWebhook, { body: { url: unusedReceiver, events } })).id;
const eventsOf = async (webhook: string) =>
  (
    await app.owner.query(
      `select e.type from webhook_deliveries d join webhook_events e on e.id = d.event_id
        where d.endpoint_id = $1`,
      [webhook],
    )
  ).rows.map(({ type }) => type);

test('R26-A3: while a webhook is being deleted, changes neither wait nor fail, and other webhooks are told', async () => {
  const events = ['room.created', 'member.removed'] as const;
  const bob = await newMember(app, ada, 'AGENT');
  const [deleted, other] = [await subscribe(...events), await subscribe(...events)];
  await deleting.query('delete from webhook_endpoints where id = $1', [deleted]);
  await ada.call(createRoom, { body: { topic: 'Now' } });
  expect(await ada.send('DELETE', `/api/users/${bob.user.id}`)).toMatchObject({ status: 204 });
  await deleting.query('commit');
  expect(await eventsOf(other)).toEqual(['room.created', 'member.removed']);
});

test('R26-A3: a webhook that is being changed is told', async () => {
  const webhook = await subscribe('room.created');
  await deleting.query(`update webhook_endpoints set url = url || '/' where id = $1`, [webhook]);
  await ada.call(createRoom, { body: { topic: 'Now' } });
  await deleting.query('commit');
  expect(await eventsOf(webhook)).toEqual(['room.created']);
});

test('R26-A3: while a CRM is being disconnected, calls end', async () => {
  const { id } = (await runningCall(ada)).call;
  const crm = await crmThings(app, ada, id);
  await app.owner.query('delete from crm_syncs where call_id = $1', [id]);
  await deleting.query('delete from crm_connections where id = $1', [crm['crm-connections']]);
  const end = { params: { id }, body: { endForEveryone: true } };
  expect((await ada.call(updateCall, end)).endedAt).not.toBeNull();
  await deleting.query('commit');
});
