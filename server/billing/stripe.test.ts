import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changePlan,
  getOrCreateSubscription,
  openPortal,
  previewPlanChange,
  readBilling,
  readBillingDetails,
} from '#domain/billing/contract.ts';
import { deleteDueOrganizations } from '#server/privacy/delete-organization.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { hasStripeMock, type StripeMock, startStripeMock } from '#server/testing/stripe-mock.ts';
import { cards, StripeStandIn } from '#server/testing/stripe-stand-in.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { reconcileSubscriptions } from './jobs.ts';
import { processBillingEvents } from './process-events.ts';

const stripe = new StripeStandIn();
let mock: StripeMock | null = null;
let app: TestApp;
beforeAll(async () => {
  await stripe.open();
  if (hasStripeMock()) mock = await startStripeMock();
  stripe.validator = mock?.url ?? null;
  app = await openTestApp(stripe.settings);
});
afterAll(async () => {
  await app.close();
  await stripe.close();
  await mock?.stop();
});

type Admin = Awaited<ReturnType<typeof newOrganization>>;
const subscribe = (ada: Admin) => ada.call(getOrCreateSubscription);
/** Begins a subscription, and returns what a payment form needs. */
async function begun() {
  const ada = await newOrganization(app);
  const { clientSecret = '' } = await subscribe(ada);
  return { ada, clientSecret, subscription: stripe.bySecret(clientSecret) };
}
async function paid() {
  const one = await begun();
  stripe.confirm(one.clientSecret, cards.good);
  await subscribe(one.ada);
  return one;
}
const planOf = async (ada: Admin) => {
  const { plan, status, subscription } = await ada.call(readBilling);
  return [plan, status, subscription?.status];
};
const lateBy = (hours: number) => new Date(Date.now() + hours * 3_600_000);

describe('subscribing', () => {
  test('clientSecret until the first payment succeeds, subscriptionId from then on; one means Professional', async () => {
    const { ada, clientSecret, subscription } = await begun();
    expect(await subscribe(ada)).toEqual({ clientSecret });
    expect(await planOf(ada)).toEqual(['starter', 'free', 'incomplete']);
    expect(stripe.confirm(clientSecret, cards.good)).toBe(null);
    expect(await subscribe(ada)).toEqual({ subscriptionId: subscription.id });
    expect(await subscribe(ada)).toEqual({ subscriptionId: subscription.id });
    expect(await planOf(ada)).toEqual(['professional', 'active', 'active']);
  });

  test('two tabs make one customer and one subscription', async () => {
    const ada = await newOrganization(app);
    const customers = stripe.customers.size;
    let open = (_: unknown) => {};
    stripe.gate = new Promise((done) => {
      open = done;
    });
    const replies = Array.from({ length: 4 }, () => subscribe(ada));
    const before = stripe.asked.length;
    await expect.poll(() => stripe.asked.length).toBeGreaterThanOrEqual(before + 4);
    open(null);
    const secrets = new Set((await Promise.all(replies)).map(({ clientSecret }) => clientSecret));
    expect(secrets.size).toBe(1);
    expect(stripe.customers.size).toBe(customers + 1);
    const [secret = ''] = secrets;
    expect(stripe.of(stripe.bySecret(secret ?? '').customer)).toHaveLength(1);
  });

  test('a declined card, and abandoned 3-D Secure, leave Starter, and the same payment can be tried again', async () => {
    const { ada, clientSecret } = await begun();
    expect(stripe.confirm(clientSecret, cards.declined)).toBe('Your card was declined.');
    expect(stripe.confirm(clientSecret, cards.asksForMore)).toMatch(/unable to authenticate/);
    expect(await subscribe(ada)).toEqual({ clientSecret });
    expect(await planOf(ada)).toEqual(['starter', 'free', 'incomplete']);
    stripe.confirm(clientSecret, cards.good);
    expect(await subscribe(ada)).toHaveProperty('subscriptionId');
  });

  test('a payment that was never finished expires, and the next one is another', async () => {
    const { ada, clientSecret, subscription } = await begun();
    stripe.setStatus(subscription, 'incomplete_expired');
    subscription.secret = null;
    const next = await subscribe(ada);
    expect(next.clientSecret).toBeTruthy();
    expect(next.clientSecret).not.toBe(clientSecret);
    expect(await subscribe(ada)).toEqual(next);
  });

  test('a customer who was deleted at Stripe is replaced, and the plan ends', async () => {
    const { ada, subscription } = await paid();
    const customer = stripe.customers.get(subscription.customer);
    if (customer) stripe.deleteCustomer(customer);
    stripe.subscriptions.delete(subscription.id);
    await reconcileSubscriptions(app.services, lateBy(2));
    expect(await planOf(ada)).toEqual(['starter', 'free', undefined]);
    expect(await subscribe(ada)).toHaveProperty('clientSecret');
  });

  test('while Stripe cannot be reached, 503 says so, nothing is lost, and the rest works', async () => {
    const { ada, clientSecret } = await begun();
    stripe.next.push(...Array<'drop'>(3).fill('drop'));
    const reply = await ada.send('POST', '/api/get-or-create-subscription');
    expect(reply).toMatchObject({ status: 503, body: { code: 'card_provider_unavailable' } });
    expect((await ada.send('GET', '/api/billing')).status).toBe(200);
    expect(await subscribe(ada)).toEqual({ clientSecret });
  });

  test('a server error that Stripe keeps for its key does not lock the organization out', async () => {
    const ada = await newOrganization(app);
    const failure = { status: 500, body: { error: { type: 'api_error', message: 'sorry' } } };
    stripe.next.push(failure, failure, failure);
    expect(await subscribe(ada)).toHaveProperty('clientSecret');
  });
});

describe('a paid subscription', () => {
  test('keeps Professional while past due, and loses it when it is given up or canceled', async () => {
    const { ada, subscription } = await paid();
    const seen = [];
    for (const status of ['past_due', 'unpaid', 'active', 'canceled']) {
      stripe.setStatus(subscription, status);
      await reconcileSubscriptions(app.services, lateBy(2));
      seen.push(await planOf(ada));
    }
    expect(seen).toEqual([
      ['professional', 'active', 'past_due'],
      ['starter', 'free', 'unpaid'],
      ['professional', 'active', 'active'],
      ['starter', 'free', 'canceled'],
    ]);
    expect(await subscribe(ada)).toHaveProperty('clientSecret');
  });

  test('the operator’s Enterprise outlives the subscription', async () => {
    const { ada, subscription } = await paid();
    const { orgId } = ada.user;
    await app.owner.query(`update organizations set plan = 'enterprise' where id = $1`, [orgId]);
    stripe.setStatus(subscription, 'canceled');
    await reconcileSubscriptions(app.services, lateBy(2));
    expect(await planOf(ada)).toEqual(['enterprise', 'active', 'canceled']);
  });

  test('its invoices, prices, and the portal are Stripe’s', async () => {
    const { ada } = await paid();
    expect(await ada.call(readBillingDetails)).toEqual({
      offers: [
        { interval: 'month', amount: 4900, currency: 'usd' },
        { interval: 'year', amount: 49_000, currency: 'usd' },
      ],
      invoices: [expect.objectContaining({ status: 'paid', amount: 4900 })],
    });
    expect((await ada.call(openPortal)).url).toMatch(/^https:\/\/billing\.stripe\.com\//);
    const asked = stripe.asked.findLast(({ path }) => path === '/v1/billing_portal/sessions');
    expect(decodeURIComponent(asked?.form ?? '')).toMatch(/return_url=.*\/app\/settings\/billing$/);
  });

  test('a change to yearly billing charges what its preview showed, and a declined card changes nothing', async () => {
    const { ada, subscription } = await paid();
    const preview = await ada.call(previewPlanChange, { body: { interval: 'year' } });
    expect(preview).toMatchObject({ amount: 44_100, currency: 'usd' });
    expect(preview.lines.map(({ amount }) => amount)).toEqual([-4900, 49_000]);
    const body = { interval: 'year' as const, prorationAt: preview.prorationAt };
    const old = { ...body, prorationAt: preview.prorationAt - 1000 };
    expect((await ada.send('POST', '/api/billing/plan-change', old)).status).toBe(409);
    subscription.declines = true;
    expect(await ada.send('POST', '/api/billing/plan-change', body)).toMatchObject({
      status: 402,
      body: { code: 'card_declined', message: 'Your card was declined.' },
    });
    expect((await ada.call(readBilling)).subscription?.interval).toBe('month');
    delete subscription.declines;
    await ada.call(changePlan, { body });
    expect((await ada.call(readBilling)).subscription?.interval).toBe('year');
    const asked = stripe.asked.findLast(({ path }) => path.startsWith('/v1/subscriptions/sub_'));
    expect(asked?.form).toContain(`proration_date=${preview.prorationAt}`);
  });

  test('ends with its organization, whose deletion waits for Stripe', async () => {
    const { ada, subscription } = await paid();
    const { orgId } = ada.user;
    await app.owner.query(`update organizations set name = 'Acme' where id = $1`, [orgId]);
    await ada.send('POST', `/api/organizations/${orgId}/deletion`, { name: 'Acme' });
    await app.owner.query(
      `update organization_deletions set requested_at = requested_at - interval '30 days',
        due_at = due_at - interval '30 days'`,
    );
    const left = async () =>
      (await app.owner.query('select 1 from organizations where id = $1', [orgId])).rowCount;
    stripe.next.push({ status: 401, body: { error: { message: 'Invalid API Key provided' } } });
    await deleteDueOrganizations(app.services);
    expect(await left()).toBe(1);
    await deleteDueOrganizations(app.services);
    expect([await left(), subscription.status]).toEqual([0, 'canceled']);
    expect(stripe.customers.get(subscription.customer)?.deleted).toBe(true);
  });
});

test.skipIf(!hasStripeMock())('stripe-mock has checked every kind of request', async () => {
  await processBillingEvents(app.services);
  const kinds = stripe.asked.map(({ method, path }) =>
    `${method} ${path}`.replace(/\w+_[0-9a-f]{16}/, ':id'),
  );
  expect([...new Set(kinds)].sort()).toEqual([
    'DELETE /v1/customers/:id',
    'GET /v1/customers/:id',
    'GET /v1/invoices',
    'GET /v1/prices',
    'GET /v1/subscriptions',
    'POST /v1/billing_portal/sessions',
    'POST /v1/customers',
    'POST /v1/invoices/create_preview',
    'POST /v1/subscriptions',
    'POST /v1/subscriptions/:id',
  ]);
  expect(stripe.refused).toEqual([]);
});
