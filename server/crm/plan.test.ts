import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOrCreateSubscription } from '#domain/billing/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { listCrmSyncs, retryCrmSync } from '#domain/crm/contract.ts';
import { CrmStandIns, sendWaiting } from '#server/testing/crm-stand-ins.ts';
import { connectTo, endedCall } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { cards, StripeStandIn } from '#server/testing/stripe-stand-in.ts';
import { newOrganization } from '#server/testing/visitor.ts';

const customer = 'gus@customer.example';
const crms = new CrmStandIns();
const stripe = new StripeStandIn();
let app: TestApp;
beforeAll(async () => {
  await crms.open();
  await stripe.open();
  app = await openTestApp({ ...crms.settings, ...stripe.settings });
});
afterAll(async () => {
  await app.close();
  await stripe.close();
  await crms.close();
});

test('after the trial no call reaches a CRM until Professional is paid for; what was sent is still updated', async () => {
  const ada = await newOrganization(app);
  await connectTo(ada, 'hubspot', crms.hubspot);
  crms.hubspot.addContact(customer);
  const stateOf = async (id: string) =>
    (await ada.call(listCrmSyncs, { params: { id } }))[0] ?? null;
  const first = (await endedCall(app, ada, customer)).call;
  await sendWaiting(app);
  expect(await stateOf(first.id)).toMatchObject({ state: 'synced' });

  await app.owner.query(
    `update organizations set created_at = created_at - interval '15 days' where id = $1`,
    [ada.user.orgId],
  );
  const second = (await endedCall(app, ada, customer)).call;
  await ada.call(updateCall, { params: { id: first.id }, body: { npsScore: 2 } });
  await sendWaiting(app);
  expect(await stateOf(second.id)).toMatchObject({ state: 'skipped', reason: 'no_plan' });
  const [logged, ...more] = crms.hubspot.of('calls');
  expect(more).toEqual([]);
  expect(logged?.fields.hs_call_body).toContain('rating: 2 of 10');
  expect(await ada.send('POST', '/api/crm-authorizations', { vendor: 'salesforce' })).toMatchObject(
    { status: 402, body: { code: 'plan_limit_crm' } },
  );

  const { clientSecret = '' } = await ada.call(getOrCreateSubscription);
  stripe.confirm(clientSecret, cards.good);
  expect(await ada.call(getOrCreateSubscription)).toHaveProperty('subscriptionId');
  await ada.call(retryCrmSync, { params: { id: second.id }, body: { vendor: 'hubspot' } });
  await sendWaiting(app);
  expect(await stateOf(second.id)).toMatchObject({ state: 'synced' });
  expect(crms.hubspot.of('calls')).toHaveLength(2);
});
