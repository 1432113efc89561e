import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAppTester } from 'zapier-platform-core';
import schema from 'zapier-platform-schema';
import { addActionItem, readActionItem } from '#domain/action-items/contract.ts';
import { listWebhooks } from '#domain/webhooks/contract.ts';
import { webhookData } from '#domain/webhooks/events.ts';
import { everyEvent } from '#server/testing/every-event.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { organizationToken } from '#server/testing/token-things.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { WebhookReceiver } from '#server/testing/webhook-receiver.ts';
import zapier from '../../integrations/zapier/index.js';

type Bundle = NonNullable<Parameters<typeof tester>[1]>;
const tester = createAppTester(zapier);
// Zapier types a function by its own input and a bundle by its whole request. Answers are the API's, and compared below.
const run = (operation: unknown, bundle: object) =>
  tester(operation as () => Promise<Answered>, bundle as Bundle);
type Answered = Record<string, unknown> & Iterable<Record<string, unknown>>;
let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let authData: { url: string; token: string };
beforeAll(async () => {
  app = await openTestApp({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
  url = (await app.listen()).replace(/^ws/, 'http');
});
beforeEach(async () => {
  ada = await newOrganization(app);
  const { token } = await organizationToken(ada, [
    ...(['rooms:read', 'rooms:write', 'calls:read', 'calls:write'] as const),
    ...(['team:read', 'webhooks:write'] as const),
  ]);
  authData = { url, token };
});
afterAll(() => app.close());

type Operation = Record<
  'perform' | 'performSubscribe' | 'performUnsubscribe' | 'performList',
  unknown
>;
const operationOf = (of: object | undefined, key: string): Operation => {
  const found = Object.entries(of ?? {}).find(([name]) => name === key)?.[1];
  if (!found) throw new Error(`there is no ${key}`);
  return found.operation;
};
const action = (key: string, inputData: object) =>
  run(operationOf(Object.assign({}, zapier.creates, zapier.searches), key).perform, {
    authData,
    inputData,
  });

test('the app is valid by the schema of its platform', () => {
  const isFunction = '$func$0$f$';
  const described = JSON.stringify(zapier, (_, value) =>
    typeof value === 'function' ? isFunction : value,
  );
  const { errors } = schema.validateAppDefinition(JSON.parse(described));
  expect(errors.map(({ stack }) => stack)).toEqual([]);
});

test('a connection is tested by what a subscription needs', async () => {
  const test = zapier.authentication?.test;
  if (!test) throw new Error('there is no test');
  await expect(run(test, { authData })).resolves.toEqual([]);
  await expect(run(test, { authData: { ...authData, url: `${url}/` } })).resolves.toEqual([]);
  await expect(run(test, { authData: { url, token: 'rpt_wrong' } })).rejects.toThrow(
    'This API token is invalid, has expired, or was revoked.',
  );
});

test('a page in place of an answer is told by its status', async () => {
  const proxy = createServer((_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as AddressInfo;
  const given = { authData: { ...authData, url: `http://127.0.0.1:${port}` } };
  await expect(run(zapier.authentication?.test, given)).rejects.toThrow('Rapport answered 502.');
  await new Promise((done) => proxy.close(done));
});

test.each(Object.keys(zapier.triggers ?? {}))(
  '%s subscribes, lists examples, and unsubscribes',
  async (key) => {
    await runningCall(ada);
    const { performSubscribe, performUnsubscribe, performList } = operationOf(zapier.triggers, key);
    const targetUrl = 'https://203.0.114.1/hook';
    const subscribeData = await run(performSubscribe, { authData, targetUrl });
    const [stored] = await ada.call(listWebhooks);
    expect(stored).toMatchObject({ url: targetUrl, description: 'Zapier' });
    expect(stored?.events.map((event) => Object.keys(webhookData).includes(event))).toEqual([true]);
    const examples = await run(performList, { authData });
    for (const example of examples) expect(example).toMatchObject({ id: expect.any(String) });
    await run(performUnsubscribe, { authData, subscribeData });
    expect(await ada.call(listWebhooks)).toEqual([]);
  },
);

/** What Zapier passes on of a request. */
const given = (
  { body, headers }: WebhookReceiver['received'][number],
  secret: unknown,
  content = body,
) => ({
  authData,
  subscribeData: { secret },
  cleanedRequest: JSON.parse(content),
  rawRequest: {
    ...{ method: 'POST', querystring: '', content },
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`Http-${name}`, value]),
    ),
  },
});

test('each trigger fires by the event that Rapport signed, and by none that was changed or signed by others', async () => {
  const receiver = await new WebhookReceiver().open();
  const keys = Object.keys(zapier.triggers ?? {});
  const secrets = new Map<string, unknown>();
  for (const key of keys) {
    const { performSubscribe } = operationOf(zapier.triggers, key);
    const made = await run(performSubscribe, { authData, targetUrl: receiver.url });
    secrets.set(String(made.events), made.secret);
  }
  await everyEvent(app, ada, 'Notes');
  receiver.close();
  expect(receiver.types.toSorted()).toEqual([...secrets.keys()].sort());
  for (const [at, [type, secret]] of [...secrets].entries()) {
    const got = receiver.received.find(({ event }) => event.type === type);
    if (!got) throw new Error(`there is no ${type}`);
    const { perform } = operationOf(zapier.triggers, keys[at] ?? '');
    const { id, timestamp, data } = got.event;
    expect(await run(perform, given(got, secret))).toEqual([
      { id, ...data, eventId: id, happenedAt: timestamp },
    ]);
    const wrong = [
      given(got, secret, got.body.replace(type, `${type}d`)),
      given(got, 'whsec_b3RoZXI='),
      given(got, undefined),
    ];
    for (const one of wrong)
      await expect(run(perform, one)).rejects.toThrow('This event is not signed by Rapport.');
  }
});

test('actions make rooms and guest links, and add and complete action items', async () => {
  const { call } = await runningCall(ada);
  const made = await action('create_room', { topic: 'From Zapier' });
  expect(made).toMatchObject({ topic: 'From Zapier', status: 'active' });
  expect(
    await action('create_guest_link', { id: String(made.id), name: 'For Acme' }),
  ).toMatchObject({
    name: 'For Acme',
    url: expect.stringContaining('/join/'),
  });
  const item = await action('add_action_item', { id: call.id, title: 'Send the offer' });
  await action('complete_action_item', { id: item.id });
  expect(await ada.call(readActionItem, { params: { id: String(item.id) } })).toMatchObject({
    title: 'Send the offer',
    completedAt: expect.any(String),
  });
  await expect(action('create_room', { topic: ' ' })).rejects.toThrow('Topic is required');
});

test('searches find rooms and calls by a part of the topic', async () => {
  const { room, call } = await runningCall(ada);
  await ada.call(addActionItem, { params: { id: call.id }, body: { title: 'Call back' } });
  expect(await action('find_room', { search: 'kick' })).toMatchObject([{ id: room.id }]);
  expect(await action('find_call', { search: 'kick' })).toMatchObject([{ id: call.id }]);
  expect(await action('find_room', { search: 'nothing' })).toEqual([]);
});
