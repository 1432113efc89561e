import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { loadSamples } from '#domain/samples/contract.ts';
import {
  addSlackChannel,
  listSlackChannels,
  removeSlackChannel,
  type SlackChannel,
  slackRefusals,
  testSlackChannel,
  updateSlackChannel,
} from '#domain/slack/contract.ts';
import {
  listWebhookDeliveries,
  listWebhooks,
  readWebhookDelivery,
} from '#domain/webhooks/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { SlackStandIn } from '#server/testing/slack-stand-in.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { deliverDue } from '../deliver-due.ts';

let app: TestApp;
let slack: SlackStandIn;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  slack = await new SlackStandIn().open();
  app = await openTestApp(
    { PUBLIC_URL: 'https://calls.example.com' },
    { outside: slack.outside() },
  );
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterEach(async () => {
  slack.received.length = 0;
  slack.reply = () => ({ status: 200, body: 'ok' });
  await app.owner.query('delete from webhook_endpoints');
});
afterAll(async () => {
  await app.close();
  slack.close();
});

const address = 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXabcd';
const add = (given: object = {}): Promise<SlackChannel> =>
  ada.call(addSlackChannel, { body: { name: '#success', secretAddress: address, ...given } });
const testIt = ({ id }: { id: string }) => ada.call(testSlackChannel, { params: { id } });
const stateOf = async ({ id }: { id: string }) =>
  (await ada.call(listSlackChannels)).find((one) => one.id === id)?.disabled?.reason ?? null;
async function deliverAll(): Promise<void> {
  while ((await deliverDue(app.services)) > 0);
}
async function endedCall(score?: number, topic?: string) {
  const { call, room } = await runningCall(ada);
  if (topic) await app.owner.query('update rooms set topic = $2 where id = $1', [room.id, topic]);
  const body = { endedAt: new Date().toISOString(), endForEveryone: true, npsScore: score };
  await ada.call(updateCall, { params: { id: call.id }, body });
  return call;
}

test('the end of a call and a low score are sent once, with a link, and higher scores are not', async () => {
  await add();
  const call = await endedCall(6, 'Kick-off');
  await endedCall(7, 'Renewal');
  await deliverAll();
  expect(slack.invalid).toEqual([]);
  expect(slack.received.map(({ text }) => text.split(' · ')[0]).toSorted()).toEqual([
    'Call ended: Kick-off',
    'Call ended: Renewal',
    'Score 6 of 10: Kick-off',
  ]);
  // Deliveries run side by side, so their order says nothing.
  const first = slack.received.find(({ text }) => text.startsWith('Call ended: Kick-off'));
  expect(first?.path).toBe(new URL(address).pathname);
  expect(JSON.stringify(first?.blocks)).toContain(
    `<https://calls.example.com/app/calls/${call.id}|Open the call>`,
  );
  await deliverAll();
  expect(slack.received).toHaveLength(3);
});

test('each event has its own switch; sample calls are not sent; German texts', async () => {
  const channel = await add({ callEnded: false, lowScore: 3, language: 'de' });
  await ada.call(loadSamples, { body: { language: 'en' } });
  await endedCall(3);
  await endedCall(4);
  await deliverAll();
  expect(slack.received.map(({ text }) => text.split(':')[0])).toEqual(['Bewertung 3 von 10']);
  const change = { params: { id: channel.id }, body: { callEnded: true, lowScore: null } };
  await ada.call(updateSlackChannel, change);
  await endedCall(0);
  await deliverAll();
  expect(slack.received.map(({ text }) => text.split(':')[0])).toEqual([
    'Bewertung 3 von 10',
    'Gespräch beendet',
  ]);
});

test('a score that was raised before the message is sent is not sent', async () => {
  await add({ callEnded: false });
  await endedCall(2);
  await app.owner.query('update ratings set score = 9 where org_id = $1', [ada.user.orgId]);
  await deliverAll();
  expect(slack.received).toEqual([]);
});

test('R17-4: names stay text: no mention, no link, no other direction, within Slack’s limits', async () => {
  await add();
  await endedCall(1, `<!channel> & <https://evil.test|x> \u202E*${'&'.repeat(150)}`);
  await app.owner.query('update ratings set feedback = $2 where org_id = $1', [
    ada.user.orgId,
    '<@U123>\n&'.repeat(400),
  ]);
  await deliverAll();
  expect(slack.invalid).toEqual([]);
  expect(slack.received).toHaveLength(2);
  const sent = JSON.stringify(slack.received);
  expect(sent).not.toMatch(/<[!@#]|<https:\/\/evil|\u202E/);
  expect(sent).toContain('&lt;!channel&gt; &amp; &lt;https://evil.test|x&gt;');
});

test.each([
  'http://hooks.slack.com/services/T0/B0/x',
  'https://hooks.slack.com.evil.test/services/T0/B0/x',
  'https://evil.test/hooks.slack.com/services/T0/B0/x',
  'https://hooks.slack.com@169.254.169.254/services/T0/B0/x',
  'https://hooks.slack.com:8443/services/T0/B0/x',
  'https://hooks.slack.com/services/T0/B0/../../x',
])('%s is no address of Slack and is refused', async (wrong) => {
  const { status, body } = await ada.send('POST', '/api/slack-channels', {
    name: 'x',
    secretAddress: wrong,
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({ errors: [{ path: 'secretAddress' }] });
});

test('the address is sealed, and shown by its last characters only', async () => {
  const channel = await add();
  const delivery = await testIt(channel);
  await deliverAll();
  const details = await ada.call(readWebhookDelivery, { params: { id: delivery.id } });
  expect(details).toMatchObject({ state: 'delivered', log: [{ status: 200, response: 'ok' }] });
  const audit = await ada.send('GET', '/api/audit-events');
  const shown = JSON.stringify([channel, await ada.call(listSlackChannels), details, audit.body]);
  expect(shown).toContain('abcd');
  expect(shown).not.toContain('XXXX');
  const { rows } = await app.owner.query('select * from webhook_endpoints');
  expect(JSON.stringify(rows)).not.toContain('XXXX');
  expect(await ada.call(listWebhooks)).toEqual([]);
  const other = await ada.send('POST', `/api/webhooks/${channel.id}/secret`);
  expect(other.status, 'a secret of its own would replace the address').toBe(404);
});

test('a redirect is not followed, and the message is tried again', async () => {
  const delivery = await testIt(await add());
  const headers = { location: 'http://169.254.169.254/latest' };
  slack.reply = () => ({ status: 302, body: '', headers });
  await deliverAll();
  const details = await ada.call(readWebhookDelivery, { params: { id: delivery.id } });
  expect(details).toMatchObject({ state: 'waiting', lastStatus: 302 });
  slack.reply = () => ({ status: 200, body: 'ok' });
  await app.owner.query('update webhook_deliveries set next_try_at = now()');
  await deliverAll();
  expect(slack.received).toHaveLength(2);
});

test('429 with Retry-After: every message to the channel waits as long', async () => {
  const channel = await add();
  slack.reply = () => ({ status: 429, body: 'rate_limited', headers: { 'retry-after': '30' } });
  await testIt(channel);
  await deliverAll();
  await testIt(channel);
  await deliverAll();
  expect(slack.received).toHaveLength(1);
  slack.reply = () => ({ status: 200, body: 'ok' });
  await app.owner.query(
    `update webhook_deliveries set next_try_at = next_try_at - interval '31 seconds'`,
  );
  await app.owner.query(
    `update webhook_endpoints set paused_until = paused_until - interval '31 seconds'`,
  );
  await deliverAll();
  expect(slack.received).toHaveLength(3);
});

test.each([
  [404, 'no_service', 'no_service'],
  [410, 'channel_is_archived', 'channel_is_archived'],
  [404, 'channel_not_found', 'channel_not_found'],
  [403, 'action_prohibited', 'action_prohibited'],
  [403, 'invalid_token', 'no_service'],
] as const)(
  'Slack’s %d %s: the channel needs attention, admins get a mail, and a new address helps',
  async (status, body, reason) => {
    const channel = await add();
    slack.reply = () => ({ status, body });
    await testIt(channel);
    await deliverAll();
    expect(await stateOf(channel)).toBe(reason);
    const { rows } = await app.owner.query('select subject from mails where recipient = $1', [
      ada.user.email,
    ]);
    expect(rows).toEqual([{ subject: 'Slack needs attention' }]);
    expect((await ada.send('POST', `/api/slack-channels/${channel.id}/test`)).status).toBe(409);
    slack.reply = () => ({ status: 200, body: 'ok' });
    const next = address.replace('abcd', 'efgh');
    const params = { id: channel.id };
    await ada.call(updateSlackChannel, { params, body: { secretAddress: next, isEnabled: true } });
    await testIt(channel);
    await deliverAll();
    expect(slack.received.at(-1)?.path).toBe(new URL(next).pathname);
    expect(slackRefusals).toContain(reason);
  },
);

test('a message that Slack finds invalid is not repeated, and the channel stays', async () => {
  const channel = await add();
  slack.reply = () => ({ status: 400, body: 'invalid_payload' });
  await testIt(channel);
  await deliverAll();
  const [delivery] = await ada.call(listWebhookDeliveries, { params: { id: channel.id } });
  expect(delivery).toMatchObject({ state: 'failed', attempts: 1 });
  expect(await stateOf(channel)).toBe(null);
  await ada.call(removeSlackChannel, { params: { id: channel.id } });
  expect(await ada.call(listSlackChannels)).toEqual([]);
});
