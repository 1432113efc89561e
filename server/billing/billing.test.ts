import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBilling } from '#domain/billing/contract.ts';
import { features } from '#domain/billing/entitlements.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { StripeStandIn } from '#server/testing/stripe-stand-in.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

type Admin = Awaited<ReturnType<typeof newOrganization>>;
let free: TestApp;
let paid: TestApp;
const stripe = new StripeStandIn();
beforeAll(async () => {
  free = await openTestApp();
  await stripe.open();
  paid = await openTestApp(stripe.settings);
});
afterAll(async () => {
  await free.close();
  await paid.close();
  await stripe.close();
});

const roomOf = (who: Visitor, topic = 'Kick-off') => who.call(createRoom, { body: { topic } });
/** Returns the status of starting a call in a new room. A started call is ended. */
async function startOne(who: Visitor, startedAt?: string) {
  const room = await roomOf(who);
  const reply = await who.send('POST', '/api/calls', { roomId: room.id, startedAt });
  if (reply.status === 201) {
    const { id } = reply.body as { id: string }; // a 201 contains the call
    await who.call(updateCall, {
      params: { id },
      body: { endedAt: startedAt ?? new Date().toISOString() },
    });
  }
  return reply;
}
async function start(who: Visitor, times: number, startedAt?: string) {
  const statuses = [];
  for (let at = 0; at < times; at += 1) statuses.push((await startOne(who, startedAt)).status);
  return statuses;
}
/** Makes the organization and all its calls older. */
async function age(app: TestApp, { user }: Admin, days: number) {
  for (const sql of [
    `update organizations set created_at = created_at - $2 * interval '1 day' where id = $1`,
    `update calls set created_at = created_at - $2 * interval '1 day',
       started_at = started_at - $2 * interval '1 day',
       ended_at = ended_at - $2 * interval '1 day' where org_id = $1`,
    `update rooms set newest_month = date_trunc('month', now() at time zone 'UTC' - $2 * interval '1 day')
       where org_id = $1 and newest_month is not null`,
  ])
    await app.owner.query(sql, [user.orgId, days]);
}

describe('where no card provider is set up', () => {
  test('GET /api/billing reports Starter, Free Plan, the usage, the trial, and all features on', async () => {
    const ada = await newOrganization(free);
    await start(ada, 2);
    expect(await ada.call(readBilling)).toEqual({
      provider: null,
      publishableKey: null,
      plan: 'starter',
      subscription: null,
      status: 'free',
      features: [...features],
      usage: { callsThisMonth: 2, callsPerMonth: null, callsLeft: null },
      trial: { endsAt: expect.any(String), daysLeft: 14, callsLeft: 8 },
    });
  });

  test('POST /api/get-or-create-subscription answers 409 billing_not_configured', async () => {
    const ada = await newOrganization(free);
    expect(await ada.send('POST', '/api/get-or-create-subscription')).toMatchObject({
      status: 409,
      body: {
        code: 'billing_not_configured',
        message: expect.stringMatching(/Billing isn’t set up/),
      },
    });
  });

  test('no limit applies: twelve calls start, long after the trial', async () => {
    const ada = await newOrganization(free);
    await age(free, ada, 60);
    expect(await start(ada, 12)).toEqual(Array(12).fill(201));
  });

  test('plan in PUT /api/organizations/:orgId is stored, and billing shows it', async () => {
    const ada = await newOrganization(free);
    const body = { name: 'Acme', brandColor: '#2563eb', plan: 'enterprise' };
    const reply = await ada.send('PUT', `/api/organizations/${ada.user.orgId}`, body);
    expect(reply).toMatchObject({ status: 200, body: { plan: 'enterprise' } });
    expect(await ada.call(readBilling)).toMatchObject({
      plan: 'enterprise',
      status: 'active',
      trial: null,
    });
  });
});

describe('billing permissions', () => {
  test('every member reads billing, admins subscribe, and neither works without a session', async () => {
    const ada = await newOrganization(free);
    for (const role of ['AGENT', 'VIEWER'] as const) {
      const member = await newMember(free, ada, role);
      expect((await member.send('GET', '/api/billing')).status).toBe(200);
      expect((await member.send('POST', '/api/get-or-create-subscription')).status).toBe(403);
    }
    const nobody = new Visitor(free);
    expect((await nobody.send('GET', '/api/billing')).status).toBe(401);
    expect((await nobody.send('POST', '/api/get-or-create-subscription')).status).toBe(401);
  });
});

describe('where a card provider is set up', () => {
  test('attack 13: another plan by PUT gets 409, and nothing changes', async () => {
    const ada = await newOrganization(paid);
    const path = `/api/organizations/${ada.user.orgId}`;
    const body = { name: 'Taken', brandColor: '#000000', plan: 'enterprise' };
    expect(await ada.send('PUT', path, body)).toMatchObject({
      status: 409,
      body: { code: 'plan_is_paid' },
    });
    expect((await ada.send('GET', path)).body).toMatchObject({
      plan: 'starter',
      brandColor: '#2563eb',
    });
    expect((await ada.send('PUT', path, { ...body, plan: 'starter' })).status).toBe(200);
  });

  test('the trial has up to 10 calls; the next one gets 402 with what to do', async () => {
    const ada = await newOrganization(paid);
    expect(await start(ada, 10)).toEqual(Array(10).fill(201));
    expect(await startOne(ada)).toMatchObject({
      status: 402,
      body: {
        code: 'plan_limit_calls',
        message: expect.stringMatching(/Upgrade in Settings, Billing/),
      },
    });
    expect((await ada.call(readBilling)).usage).toEqual({
      callsThisMonth: 10,
      callsPerMonth: 5,
      callsLeft: 0,
    });
  });

  test('after 14 days Starter has 5 calls a calendar month; other months do not count', async () => {
    const ada = await newOrganization(paid);
    await start(ada, 4);
    await age(paid, ada, 40);
    expect(await start(ada, 6)).toEqual([201, 201, 201, 201, 201, 402]);
  });

  test('a call counts in the month of its creation, whatever start the client sends', async () => {
    const ada = await newOrganization(paid);
    await age(paid, ada, 40);
    const startedAt = new Date(Date.now() - 29 * 86_400_000).toISOString();
    expect(await start(ada, 5, startedAt)).toEqual(Array(5).fill(201));
    expect((await startOne(ada, startedAt)).status).toBe(402);
  });

  test('Professional and Enterprise have no limit', async () => {
    for (const plan of ['professional', 'enterprise']) {
      const ada = await newOrganization(paid);
      await paid.owner.query('update organizations set plan = $2 where id = $1', [
        ada.user.orgId,
        plan,
      ]);
      await age(paid, ada, 40);
      expect(await start(ada, 7)).toEqual(Array(7).fill(201));
    }
  });

  test('attack 40: of 20 concurrent calls at the limit, as many start as are left', async () => {
    const ada = await newOrganization(paid);
    await start(ada, 7);
    const rooms = await Promise.all(Array.from({ length: 20 }, () => roomOf(ada)));
    const replies = await Promise.all(
      rooms.map(({ id }) => ada.send('POST', '/api/calls', { roomId: id })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(3).fill(201), ...Array(17).fill(402)]);
  });

  test('a running call is never ended by a limit: its room still answers with it', async () => {
    const ada = await newOrganization(paid);
    await start(ada, 9);
    const room = await roomOf(ada);
    expect((await ada.send('POST', '/api/calls', { roomId: room.id })).status).toBe(201);
    expect((await startOne(ada)).status).toBe(402);
    expect((await ada.send('POST', '/api/calls', { roomId: room.id })).status).toBe(200);
  });
});
