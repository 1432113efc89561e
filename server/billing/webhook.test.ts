import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getOrCreateSubscription, readBilling } from '#domain/billing/contract.ts';
import { replayBilling } from '#server/operator/replay-billing.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { cards, type SentEvent, StripeStandIn } from '#server/testing/stripe-stand-in.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { forgetBillingEvents, reconcileSubscriptions } from './jobs.ts';
import { processBillingEvents } from './process-events.ts';

const stripe = new StripeStandIn();
let app: TestApp;
let url: string;
beforeAll(async () => {
  await stripe.open();
  app = await openTestApp(stripe.settings);
  url = `${(await app.listen()).replace(/^ws/, 'http')}/api/webhooks/stripe`;
});
beforeEach(() => {
  stripe.events.length = 0;
});
afterAll(async () => {
  await app.close();
  await stripe.close();
});

type Admin = Awaited<ReturnType<typeof newOrganization>>;
async function begun() {
  const ada = await newOrganization(app);
  const { clientSecret = '' } = await ada.call(getOrCreateSubscription);
  return { ada, clientSecret, subscription: stripe.bySecret(clientSecret) };
}
async function post(body: string, signature: string | null) {
  const headers = {
    'content-type': 'application/json',
    ...(signature === null ? {} : { 'stripe-signature': signature }),
  };
  const { status } = await fetch(url, { method: 'POST', headers, body });
  return status;
}
/** The event as it was created three days ago; Stripe signs each attempt anew. */
const threeDaysAgo = ({ body, ...event }: SentEvent): SentEvent => {
  const content = JSON.parse(body);
  return { ...event, body: JSON.stringify({ ...content, created: content.created - 259_200 }) };
};
const deliver = ({ body }: SentEvent) => post(body, stripe.sign(body));
const process = () => processBillingEvents(app.services);
const planOf = async (ada: Admin) => (await ada.call(readBilling)).plan;
const stored = async (ada: Admin) =>
  (
    await app.owner.query(
      'select id, processed_at is not null as done from billing_events where org_id = $1 order by id',
      [ada.user.orgId],
    )
  ).rows;
const changes = async (ada: Admin) =>
  (
    await app.owner.query(
      `select metadata from audit_events where org_id = $1 and action = 'SUBSCRIPTION_CHANGED'`,
      [ada.user.orgId],
    )
  ).rowCount;

describe('attack 35: a webhook', () => {
  test('that is unsigned, forged, signed with an empty or another secret, or changed, gets 400', async () => {
    const { ada, clientSecret } = await begun();
    stripe.confirm(clientSecret, cards.good);
    const body = stripe.events.at(-1)?.body ?? '';
    const signature = stripe.sign(body);
    const forged = [
      null,
      '',
      't=1,v1=',
      `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
      stripe.sign(body, { secret: 'whsec_' }),
      stripe.sign(body, { secret: 'whsec_another' }),
      signature.replace('v1=', 'v0='),
    ];
    for (const one of forged) expect([one, await post(body, one)]).toEqual([one, 400]);
    expect(await post(`${body} `, signature)).toBe(400);
    expect(await post('{', stripe.sign('{'))).toBe(400);
    await process();
    expect([await stored(ada), await planOf(ada)]).toEqual([[], 'starter']);
  });

  test('that is recorded and sent again six minutes later gets 400', async () => {
    const { clientSecret } = await begun();
    stripe.confirm(clientSecret, cards.good);
    const body = stripe.events.at(-1)?.body ?? '';
    const at = Math.floor(Date.now() / 1000) - 360;
    expect(await post(body, stripe.sign(body, { at }))).toBe(400);
  });

  test('is stored before it is answered, and applied once however often it arrives', async () => {
    const { ada, clientSecret } = await begun();
    stripe.confirm(clientSecret, cards.good);
    const paid = stripe.events.at(-1);
    if (!paid) throw new Error('there is no event');
    expect(await Promise.all(Array.from({ length: 5 }, () => deliver(paid)))).toEqual(
      Array(5).fill(200),
    );
    expect(await stored(ada)).toEqual([{ id: paid.id, done: false }]);
    expect(await planOf(ada)).toBe('starter');
    await process();
    expect(await stored(ada)).toEqual([{ id: paid.id, done: true }]);
    expect(await planOf(ada)).toBe('professional');
    const before = [await changes(ada), stripe.asked.length];
    await deliver(paid);
    await process();
    expect([await changes(ada), stripe.asked.length]).toEqual(before);
  });

  test.each(['backwards', 'three days late'])(
    'arriving %s leaves the newest state',
    async (how) => {
      const { ada, clientSecret, subscription } = await begun();
      stripe.confirm(clientSecret, cards.good);
      stripe.setStatus(subscription, 'past_due');
      stripe.setStatus(subscription, 'canceled');
      const old =
        how === 'backwards' ? stripe.events.toReversed() : stripe.events.map(threeDaysAgo);
      // The state that late webhooks must not overwrite.
      if (how === 'three days late') await ada.call(getOrCreateSubscription);
      for (const event of old) {
        expect(await deliver(event)).toBe(200);
        await process();
      }
      expect((await ada.call(readBilling)).plan).toBe('starter');
      const { status } = (await ada.call(readBilling)).subscription ?? {};
      expect(status).toBe(how === 'backwards' ? 'canceled' : 'incomplete');
    },
  );

  test('of an unknown type, or about another product’s customer, is answered and not kept', async () => {
    const { ada, subscription } = await begun();
    stripe.changed('customer.subscription.updated', { ...subscription, customer: 'cus_another' });
    stripe.changed('issuing_card.created', { ...subscription, id: 'ic_1', object: 'issuing.card' });
    stripe.changed('balance.available', { id: 'none', object: 'balance' });
    for (const event of stripe.events.slice(-3)) expect(await deliver(event)).toBe(200);
    const kept = (await stored(ada)).map(({ id }) => id);
    expect(stripe.events.slice(-3).filter(({ id }) => kept.includes(id))).toEqual([]);
  });
});

test('a webhook that fails is tried again, and an operator can replay it', async () => {
  const { ada, clientSecret } = await begun();
  stripe.confirm(clientSecret, cards.good);
  const paid = stripe.events.at(-1);
  if (!paid) throw new Error('there is no event');
  await deliver(paid);
  stripe.next.push({ status: 401, body: { error: { message: 'Invalid API Key provided' } } });
  await process();
  expect(await stored(ada)).toEqual([{ id: paid.id, done: false }]);
  await process();
  expect(await planOf(ada)).toBe('starter');
  const owner = app.openOwnerDatabase();
  const { billing, log } = app.services;
  try {
    const replayed = await replayBilling(owner, billing, { given: paid.id, log });
    expect(replayed).toBe('1 webhooks were processed again.');
    expect(await planOf(ada)).toBe('professional');
    expect(await replayBilling(owner, billing, { given: 'all', log })).toMatch(/again\.$/);
    await expect(replayBilling(owner, billing, { given: 'evt_none', log })).rejects.toThrow(
      'No stored webhook has the id evt_none.',
    );
    await expect(replayBilling(owner, null, { given: 'all', log })).rejects.toThrow(/is set up/);
  } finally {
    await owner.close();
  }
});

test('the tab closed while paying: Professional begins with the webhook, or without it within an hour', async () => {
  const { ada, clientSecret } = await begun();
  stripe.confirm(clientSecret, cards.good);
  await reconcileSubscriptions(app.services, new Date());
  expect(await planOf(ada)).toBe('starter');
  await reconcileSubscriptions(app.services, new Date(Date.now() + 3_700_000));
  expect(await planOf(ada)).toBe('professional');
});

test('of two overlapping readings, the older answer never overwrites the newer one', async () => {
  const { ada, clientSecret } = await begun();
  stripe.confirm(clientSecret, cards.good);
  const [created, paid] = [stripe.events.at(-2), stripe.events.at(-1)];
  if (!created || !paid || !app.services.billing) throw new Error('there are no events');
  const { billing } = app.services;
  const asked = billing.findSubscription.bind(billing);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let first = true;
  const slow = {
    ...billing,
    // The first answer was given before the payment, and arrives after it was processed.
    findSubscription: async (customer: string) => {
      if (!first) return asked(customer);
      first = false;
      const answer = await asked(customer);
      await held;
      return answer && answer !== 'no-customer'
        ? { ...answer, status: 'incomplete' as const }
        : null;
    },
  };
  await deliver(created);
  const slowly = processBillingEvents({ ...app.services, billing: slow });
  await expect.poll(() => first).toBe(false);
  await deliver(paid);
  await process();
  expect(await planOf(ada)).toBe('professional');
  release();
  await slowly;
  expect(await ada.call(readBilling)).toMatchObject({
    plan: 'professional',
    subscription: { status: 'active' },
  });
});

test('webhooks are forgotten after 30 days', async () => {
  const { ada, clientSecret } = await begun();
  stripe.confirm(clientSecret, cards.good);
  for (const event of stripe.events) await deliver(event);
  await process();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  await forgetBillingEvents(app.services, inDays(29));
  expect(await stored(ada)).not.toEqual([]);
  await forgetBillingEvents(app.services, inDays(31));
  expect(await stored(ada)).toEqual([]);
});

test('without a card provider there is no such address', async () => {
  const free = await openTestApp();
  try {
    const address = `${(await free.listen()).replace(/^ws/, 'http')}/api/webhooks/stripe`;
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
  } finally {
    await free.close();
  }
});

test('R22-7: long bodies that Stripe has not signed are refused before they are read', async () => {
  const scaled = await openTestApp({ ...stripe.settings, RATE_LIMIT_SCALE: '1' });
  try {
    const send = (body: string, signature: string, remoteAddress: string) =>
      scaled.http.inject({
        method: 'POST',
        url: '/api/webhooks/stripe',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        payload: body,
        remoteAddress,
      });
    const event = { id: 'evt_long', type: 'other', created: 1, data: { object: {} } };
    const long = JSON.stringify({ ...event, about: 'x'.repeat(250_000) });
    const forged = stripe.sign('another body');
    const statuses = new Map<number, number>();
    for (let n = 0; n < 40; n += 1) {
      const { statusCode } = await send(long, forged, '192.0.2.1');
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    }
    expect([...statuses.keys()]).toEqual([400, 429]);
    expect(statuses.get(400)).toBeLessThan(25);
    // What Stripe has signed counts for nothing, however much it is.
    for (let n = 0; n < 40; n += 1) {
      expect((await send(long, stripe.sign(long), '192.0.2.2')).statusCode).toBe(200);
    }
  } finally {
    await scaled.close();
  }
});
