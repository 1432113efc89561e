import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addActionItem } from '#domain/action-items/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import {
  authorizeCrm,
  disconnectCrm,
  listCrmConnections,
  listCrmSyncs,
} from '#domain/crm/contract.ts';
import { crmVendors } from '#domain/crm/mapping.ts';
import { deleteDueOrganizations } from '#server/privacy/delete-organization.ts';
import type { CrmReply, CrmRequest, CrmStandIn } from '#server/testing/crm-stand-in.ts';
import { CrmStandIns, sendWaiting } from '#server/testing/crm-stand-ins.ts';
import { connectTo, endedCall } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

const customer = 'cleo@customer.example';
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
const crms = new CrmStandIns();
beforeAll(async () => {
  await crms.open();
  app = await openTestApp(crms.settings);
});
afterAll(async () => {
  await app.close();
  await crms.close();
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterEach(async () => {
  await app.owner.query('delete from organization_deletions');
  await crms.reset(app);
});

const send = () => sendWaiting(app);
/** Answers requests that `is` accepts with what `by` returns, until the result is called. */
function answering(crm: CrmStandIn, is: (request: CrmRequest) => boolean, by: () => CrmReply) {
  const original = crm.answer.bind(crm);
  crm.answer = (request) => (is(request) ? by() : original(request));
  return () => {
    crm.answer = original;
  };
}

const deletionDue = async (orgId: string | null, days: number) => {
  await app.owner.query(`update organizations set name = 'Acme' where id = $1`, [orgId]);
  const path = `/api/organizations/${orgId}/deletion`;
  expect((await ada.send('POST', path, { name: 'Acme' })).status).toBeLessThan(300);
  await app.owner.query(
    `update organization_deletions set requested_at = now() - interval '60 days',
       due_at = now() - make_interval(days => $2) where org_id = $1`,
    [orgId, days],
  );
};
const organizations = async (id: string | null) =>
  (await app.owner.query('select from organizations where id = $1', [id])).rowCount;

describe.each(crmVendors)('%s', (vendor) => {
  const crm = (): CrmStandIn => crms[vendor];
  const connectionOf = async (by = ada) =>
    (await by.call(listCrmConnections)).find((one) => one.vendor === vendor);
  const disconnect = async () =>
    ada.call(disconnectCrm, { params: { id: (await connectionOf())?.id ?? '' } });

  test('R18-4: a refresh that ends after Disconnect leaves no token there', async () => {
    await connectTo(ada, vendor, crm());
    crms[vendor].addContact(customer);
    await endedCall(app, ada, customer);
    crm().expireAccess();
    const hold = Promise.withResolvers<void>();
    crm().tokenGate = hold.promise;
    const before = crm().refreshes;
    const sending = send();
    await expect.poll(() => crm().refreshes).toBe(before + 1);
    await disconnect();
    hold.resolve();
    await sending;
    expect(crm().openRefreshTokens).toBe(0);
    expect((await app.owner.query('select from crm_connections')).rowCount).toBe(0);
    expect(crm().of(vendor === 'hubspot' ? 'calls' : 'Task')).toEqual([]);
  });

  test('R18-4: a sync sends nothing after Disconnect, even if the CRM accepts its token', async () => {
    await connectTo(ada, vendor, crm());
    crms[vendor].addContact(customer);
    const { call } = await endedCall(app, ada, customer);
    await send();
    const params = { id: call.id };
    await ada.call(updateCall, { params, body: { npsScore: 2 } });
    for (const title of ['One', 'Two']) await ada.call(addActionItem, { params, body: { title } });
    // HubSpot accepts access tokens until they expire.
    crm().keepsAccess = true;
    crm().asked.length = 0;
    const hold = Promise.withResolvers<void>();
    crm().gate = hold.promise;
    const sending = send();
    await expect.poll(() => crm().asked.length).toBe(1);
    await disconnect();
    hold.resolve();
    await sending;
    expect(crm().asked.map(({ method }) => method)).toEqual(['PATCH']);
  });

  test('R18-4: a person who connects while an admin disconnects is refused, and the token is revoked', async () => {
    await connectTo(ada, vendor, crm());
    const { url } = await ada.call(authorizeCrm, { body: { vendor } });
    const allowed = crm().allow(url);
    crm().keepsAccess = true;
    const hold = Promise.withResolvers<void>();
    crm().tokenGate = hold.promise;
    const before = crm().openRefreshTokens;
    const connecting = ada.send('POST', '/api/crm-connections', {
      vendor,
      code: allowed.code,
      state: allowed.state,
    });
    await expect.poll(() => crm().openRefreshTokens).toBe(before + 1);
    await disconnect();
    hold.resolve();
    expect(await connecting).toMatchObject({ status: 409, body: { code: 'crm_disconnected' } });
    expect(crm().openRefreshTokens).toBe(0);
    expect(await connectionOf()).toMatchObject({ state: 'not_connected' });
  });

  test('R18-4: a connection that could not be stored leaves no token there', async () => {
    const isAccount = ({ method, path }: CrmRequest) =>
      method === 'GET' && /access-tokens|userinfo/.test(path);
    const end = answering(crm(), isAccount, () => ({ status: 503, body: { message: 'down' } }));
    try {
      const { url } = await ada.call(authorizeCrm, { body: { vendor } });
      const { code, state } = crm().allow(url);
      const answer = await ada.send('POST', '/api/crm-connections', { vendor, code, state });
      expect(answer.status).toBe(409);
    } finally {
      end();
    }
    expect(crm().openRefreshTokens).toBe(0);
  });

  test.each([
    ['another account', '4712'],
    ['the same account', null],
  ])('R18-5: connecting %s over a connection revokes the former token', async (_which, other) => {
    await connectTo(ada, vendor, crm());
    if (other)
      await app.owner.query(`update crm_connections set account_id = $1 where org_id = $2`, [
        other,
        ada.user.orgId,
      ]);
    await connectTo(ada, vendor, crm());
    expect(crm().openRefreshTokens).toBe(1);
    expect(await connectionOf()).toMatchObject({ state: 'connected' });
  });

  test.each([
    ['waits for a CRM that does not answer', 1, 1],
    ['ends after a week, though the CRM does not answer', 8, 0],
  ])('R18-5: deleting the organization %s', async (_what, days, left) => {
    await connectTo(ada, vendor, crm());
    await deletionDue(ada.user.orgId, days);
    const isRevocation = ({ path }: CrmRequest) => /refresh-tokens|revoke/.test(path);
    const end = answering(crm(), isRevocation, () => ({ status: 503, body: { message: 'down' } }));
    await deleteDueOrganizations(app.services);
    end();
    expect(await organizations(ada.user.orgId)).toBe(left);
  });

  test('R18-5: deleting the organization revokes its access', async () => {
    await connectTo(ada, vendor, crm());
    await deletionDue(ada.user.orgId, 1);
    await deleteDueOrganizations(app.services);
    expect(await organizations(ada.user.orgId)).toBe(0);
    expect(crm().openRefreshTokens).toBe(0);
  });

  test('R18-8: no other process takes a call while it is being created, however long the look-ups took', async () => {
    await connectTo(ada, vendor, crm());
    crms[vendor].addContact(customer);
    await endedCall(app, ada, customer);
    const lease = async () =>
      (
        await app.owner.query(
          'select extract(epoch from leased_until - now())::int as seconds from crm_syncs',
        )
      ).rows[0]?.seconds;
    let gate = Promise.withResolvers<void>();
    crm().gate = gate.promise;
    const sending = send();
    const requests = vendor === 'hubspot' ? 2 : 3;
    for (let count = 1; count < requests; count += 1) {
      await expect.poll(() => crm().asked.length).toBe(count);
      await app.owner.query(`update crm_syncs set leased_until = now() + interval '5 seconds'`);
      const held = gate;
      gate = Promise.withResolvers();
      crm().gate = gate.promise;
      held.resolve();
    }
    await expect.poll(() => crm().asked.length).toBe(requests);
    expect(await lease()).toBeGreaterThan(60);
    gate.resolve();
    await sending;
    expect(await lease()).toBeNull();
  });

  test('R18-6: an error of ours is tried later and later, and has failed after a day', async () => {
    await connectTo(ada, vendor, crm());
    crms[vendor].addContact(customer);
    const { call } = await endedCall(app, ada, customer);
    const { rows } = await app.owner.query(
      'select access_token_sealed as sealed from crm_connections',
    );
    await app.owner.query(
      `update crm_connections set access_token_sealed = 'not sealed by this key'`,
    );
    const syncOf = async () => (await ada.call(listCrmSyncs, { params: { id: call.id } }))[0];
    const waits = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await send();
      const state = await app.owner.query(
        `select extract(epoch from next_try_at - now())::int as wait, leased_until from crm_syncs where call_id = $1`,
        [call.id],
      );
      expect(state.rows[0].leased_until).toBeNull();
      waits.push(state.rows[0].wait);
    }
    expect(waits[1]).toBeGreaterThan(waits[0]);
    expect(waits[2]).toBeGreaterThan(60);
    expect(await syncOf()).toMatchObject({ state: 'waiting', reason: 'unreachable' });
    await app.owner.query(`update crm_syncs set first_try_at = now() - interval '25 hours'`);
    await send();
    expect(await syncOf()).toMatchObject({ state: 'failed', reason: 'unreachable' });
    expect(await connectionOf()).toMatchObject({ state: 'connected', failedCount: 1 });
    expect(rows[0].sealed).toContain('.');
  });
});
