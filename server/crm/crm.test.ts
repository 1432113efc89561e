import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addActionItem, updateActionItem } from '#domain/action-items/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import {
  authorizeCrm,
  connectCrm,
  disconnectCrm,
  listCrmConnections,
  listCrmSyncs,
  retryCrmSync,
  updateCrm,
} from '#domain/crm/contract.ts';
import { crmVendors, defaultMapping } from '#domain/crm/mapping.ts';
import { updateRoom } from '#domain/rooms/contract.ts';
import { loadSamples } from '#domain/samples/contract.ts';
import { CrmStandIns, sendWaiting } from '#server/testing/crm-stand-ins.ts';
import { connectTo, endedCall, skipCrmWaits } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { syncDue } from './sync-due.ts';

const customer = "o'hara@customer.example";
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
  expect(await crms.reset(app)).toEqual([]);
});

const send = () => sendWaiting(app);
const audited = async (action: string) =>
  (
    await app.owner.query(
      'select entity_id as id, metadata from audit_events where org_id = $1 and action = $2 order by id',
      [ada.user.orgId, action],
    )
  ).rows;

describe.each(crmVendors)('%s', (vendor) => {
  const key = async () => ({ id: (await connectionOf())?.id ?? '' });
  const crm = () => crms[vendor];
  const connectionOf = async (by = ada) =>
    (await by.call(listCrmConnections)).find((one) => one.vendor === vendor);
  const syncOf = async (id: string) => (await ada.call(listCrmSyncs, { params: { id } }))[0];
  const calls = () =>
    vendor === 'hubspot'
      ? crm().of('calls')
      : crm()
          .of('Task')
          .filter(({ fields }) => fields.TaskSubtype === 'Call');
  const tasks = () =>
    vendor === 'hubspot'
      ? crm().of('tasks')
      : crm()
          .of('Task')
          .filter(({ fields }) => !fields.TaskSubtype);
  const textOf = (call = calls()[0]) =>
    String(call?.fields[vendor === 'hubspot' ? 'hs_call_body' : 'Description']);
  const contactOf = (call = calls()[0]) =>
    vendor === 'hubspot' ? call?.contacts[0]?.id : call?.fields.WhoId;

  test('a state is of one session of one organization, and works once', async () => {
    const eve = await newOrganization(app);
    const { url } = await ada.call(authorizeCrm, { body: { vendor } });
    const { code, state, redirectUri } = crm().allow(url);
    expect(new URL(redirectUri).pathname).toBe(`/app/settings/crm/${vendor}`);
    const path = '/api/crm-connections';
    const colleague = await newMember(app, ada, 'ORGADMIN');
    for (const other of [eve, colleague])
      expect(await other.send('POST', path, { vendor, code, state })).toMatchObject({
        status: 400,
        body: { code: 'crm_state' },
      });
    expect(await ada.send('POST', path, { vendor, code, state: 'x'.repeat(43) })).toMatchObject({
      status: 400,
    });
    expect(await ada.call(connectCrm, { body: { vendor, code, state } })).toMatchObject({
      state: 'connected',
      accountName: expect.stringContaining('ada@acme.example'),
    });
    expect((await ada.send('POST', path, { vendor, code, state })).status).toBe(400);
    expect(await connectionOf(eve)).toMatchObject({ state: 'not_connected' });

    const late = crm().allow((await ada.call(authorizeCrm, { body: { vendor } })).url);
    await app.owner.query('update crm_flows set expires_at = now()');
    expect((await ada.send('POST', path, { vendor, ...late })).status).toBe(400);
    // A code that the vendor does not know leaves the connection as it is.
    const again = crm().allow((await ada.call(authorizeCrm, { body: { vendor } })).url);
    expect(await ada.send('POST', path, { vendor, ...again, code: 'forged' })).toMatchObject({
      status: 409,
      body: { code: 'crm_refused' },
    });
    expect(await connectionOf()).toMatchObject({ state: 'connected' });
  });

  test('tokens are stored sealed, and revoked at the vendor on Disconnect', async () => {
    await connectTo(ada, vendor, crm());
    const { rows } = await app.owner.query('select * from crm_connections');
    expect(JSON.stringify(rows)).not.toMatch(/(access|refresh)-[0-9a-f]{8}-/);
    expect(crm().openRefreshTokens).toBe(1);
    expect(await ada.call(disconnectCrm, { params: await key() })).toEqual({ isRevoked: true });
    expect(crm().openRefreshTokens).toBe(0);
    expect(await connectionOf()).toMatchObject({ state: 'not_connected' });
  });

  test('a call is logged for its contact, with action items as tasks; edits update the same objects', async () => {
    await connectTo(ada, vendor, crm());
    const contact = crm().store(vendor === 'hubspot' ? 'contacts' : 'Contact', {
      [vendor === 'hubspot' ? 'email' : 'Email']: customer,
    });
    const { call, room } = await endedCall(app, ada, customer);
    const item = await ada.call(addActionItem, {
      params: { id: call.id },
      body: { title: 'Send the offer', dueOn: '2026-12-01', priority: 'high' },
    });
    expect(await syncOf(call.id)).toMatchObject({ state: 'waiting', customerEmail: customer });
    await send();
    expect(await syncOf(call.id)).toMatchObject({ vendor, state: 'synced', reason: null });
    expect(calls()).toHaveLength(1);
    expect(contactOf()).toBe(contact.id);
    expect(textOf()).toContain(`/app/calls/${call.id}`);
    expect(textOf()).toContain('rating: 9 of 10');
    expect(textOf()).toContain(
      vendor === 'hubspot' ? '&lt;b&gt;two&lt;/b&gt; more seats' : '<b>two</b> more seats',
    );
    expect(tasks().map(contactOf)).toEqual([contact.id]);
    expect(JSON.stringify(tasks()[0]?.fields)).toContain('Send the offer');

    // Another customer of the room later on does not get this call.
    await ada.call(updateRoom, { params: { id: room.id }, body: { customerEmail: 'b@b.example' } });
    await ada.call(updateCall, { params: { id: call.id }, body: { npsScore: 3 } });
    await ada.call(updateActionItem, { params: { id: item.id }, body: { isCompleted: true } });
    await ada.call(addActionItem, { params: { id: call.id }, body: { title: 'Another' } });
    await send();
    expect(calls()).toHaveLength(1);
    expect(textOf()).toContain('rating: 3 of 10');
    expect(contactOf()).toBe(contact.id);
    expect(tasks()).toHaveLength(2);
    expect(JSON.stringify(tasks()[0]?.fields)).toMatch(/completed/i);
    await app.owner.query('delete from action_items where id = $1', [item.id]);
    crm().asked.length = 0;
    await send();
    expect(tasks()).toHaveLength(1);
    expect(crm().asked.map(({ method }) => method)).toEqual(['DELETE']);
    const sent = await audited('CRM_CALL_SENT');
    expect(sent.length).toBeGreaterThan(1);
    expect(sent[0]).toMatchObject({ id: call.id, metadata: { vendor, contactId: contact.id } });
  });

  test.each([
    ['no_customer', null, 0],
    ['no_match', customer, 0],
    ['several_matches', customer, 2],
  ])('nothing is written for %s; a retry finds the contact', async (reason, email, matches) => {
    await connectTo(ada, vendor, crm());
    const add = () =>
      vendor === 'hubspot'
        ? crms.hubspot.addContact('main@x.example', {
            hs_additional_emails: `a@a.example;${customer}`,
          })
        : crms.salesforce.addLead(customer);
    const made = Array.from({ length: matches }, add);
    const { call, room } = await endedCall(app, ada, email);
    await send();
    expect(await syncOf(call.id)).toMatchObject({ state: 'skipped', reason });
    expect(calls()).toEqual([]);
    const retry = { params: { id: call.id }, body: { vendor } };
    if (email === null) {
      const refused = await ada.send('POST', `/api/calls/${call.id}/crm-syncs`, { vendor });
      expect(refused).toMatchObject({ status: 409, body: { code: 'crm_no_customer' } });
    }
    const body = { customerEmail: customer.toUpperCase() };
    await ada.call(updateRoom, { params: { id: room.id }, body });
    if (made[1]) crm().objects.delete(made[1].id);
    else add();
    await ada.call(retryCrmSync, retry);
    await send();
    expect(await syncOf(call.id)).toMatchObject({ state: 'synced' });
    expect(calls()).toHaveLength(1);
  });

  test('internal calls and sample calls are never sent', async () => {
    await connectTo(ada, vendor, crm());
    await ada.call(loadSamples, { body: { language: 'en' } });
    const { call } = await endedCall(app, ada, customer);
    await app.owner.query(`update attendances set kind = 'staff' where call_id = $1`, [call.id]);
    expect(await send()).toBe(1);
    expect(await syncOf(call.id)).toMatchObject({ state: 'skipped', reason: 'internal' });
    expect(crm().asked).toEqual([]);
  });

  test('two syncs at once refresh an expired token once', async () => {
    await connectTo(ada, vendor, crm());
    const made = vendor === 'hubspot' ? crms.hubspot : crms.salesforce;
    made.addContact(customer);
    await endedCall(app, ada, customer);
    await endedCall(app, ada, customer);
    crm().expireAccess();
    const before = crm().refreshes;
    expect(await send()).toBe(2);
    expect(crm().refreshes).toBe(before + 1);
    expect(calls()).toHaveLength(2);
  });

  test('access that was revoked there needs attention; connecting again sends what waits', async () => {
    await connectTo(ada, vendor, crm());
    crms[vendor].addContact(customer);
    const { call } = await endedCall(app, ada, customer);
    crm().revokeAll();
    await send();
    expect(await connectionOf()).toMatchObject({
      state: 'needs_attention',
      attention: 'revoked',
      waitingCount: 1,
    });
    expect(await syncOf(call.id)).toMatchObject({ state: 'waiting', isHeld: true });
    expect(await send(), 'nothing is tried meanwhile').toBe(0);
    expect(await audited('CRM_NEEDS_ATTENTION')).toHaveLength(1);
    await connectTo(ada, vendor, crm());
    await send();
    expect(await syncOf(call.id)).toMatchObject({ state: 'synced' });
  });

  test.each([
    ['500', { status: 500, body: { message: 'Oh no' } }],
    ['HTML', { status: 200, body: '<h1>Sign in</h1>' }],
    ['10 MB', { status: 200, body: 'x'.repeat(10_000_000) }],
    ['429', { status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '600' } }],
  ])('a CRM that answers %s is asked again later', async (name, reply) => {
    await connectTo(ada, vendor, crm());
    crms[vendor].addContact(customer);
    const { call } = await endedCall(app, ada, customer);
    crm().next.push(reply);
    await send();
    expect(await syncOf(call.id)).toMatchObject({ state: 'waiting', reason: 'unreachable' });
    const { rows } = await app.owner.query(
      `select extract(epoch from s.next_try_at - now())::int as wait, n.paused_until is not null as "isPaused"
        from crm_syncs s join crm_connections n on n.id = s.connection_id`,
    );
    expect(rows[0].isPaused).toBe(name === '429');
    expect(rows[0].wait).toBeGreaterThan(name === '429' ? 590 : 1);
    await send();
    expect(await syncOf(call.id)).toMatchObject({ state: 'synced' });
    expect(calls()).toHaveLength(1);
  });

  test('a call whose creation was not answered is not created twice', async () => {
    await connectTo(ada, vendor, crm());
    crms[vendor].addContact(customer);
    const { call } = await endedCall(app, ada, customer);
    const create = `crm/v3/objects/calls`;
    // The answers to the look-ups arrive, and that to the creation does not.
    const searches = vendor === 'hubspot' ? 1 : 2;
    const original = crm().answer.bind(crm());
    let seen = 0;
    crm().answer = (request) => {
      const reply = original(request);
      const creates = request.method === 'POST' && /objects\/(calls$|Task$)/.test(request.path);
      if (creates && seen++ === 0) return { status: 502, body: `<h1>${create}</h1>` };
      return reply;
    };
    try {
      await send();
      expect(crm().asked).toHaveLength(searches + 1);
      expect(await syncOf(call.id)).toMatchObject({ state: 'waiting' });
      await send();
      expect(await syncOf(call.id)).toMatchObject({ state: 'synced' });
      expect(calls()).toHaveLength(1);
    } finally {
      crm().answer = original;
    }
  });

  test('what someone deletes at the vendor stays deleted until a retry', async () => {
    await connectTo(ada, vendor, crm());
    const contact = crms[vendor].addContact(customer);
    const { call } = await endedCall(app, ada, customer);
    await send();
    for (const one of calls()) crm().objects.delete(one.id);
    await ada.call(updateCall, { params: { id: call.id }, body: { npsScore: 4 } });
    await send();
    expect(await syncOf(call.id)).toMatchObject({ state: 'failed', reason: 'deleted_there' });
    crm().objects.delete(contact.id);
    await ada.call(retryCrmSync, { params: { id: call.id }, body: { vendor } });
    await send();
    expect(await syncOf(call.id)).toMatchObject({ state: 'skipped', reason: 'no_match' });
  });

  test.each([true, false])(
    'a deleted call is deleted there if the setting says so (%s)',
    async (deletesCalls) => {
      await connectTo(ada, vendor, crm());
      await ada.call(updateCrm, { params: await key(), body: { deletesCalls } });
      crms[vendor].addContact(customer);
      const { call } = await endedCall(app, ada, customer);
      await ada.call(addActionItem, { params: { id: call.id }, body: { title: 'One' } });
      await send();
      expect([calls().length, tasks().length]).toEqual([1, 1]);
      await app.owner.query('delete from calls where id = $1', [call.id]);
      await send();
      const left = deletesCalls ? 0 : 1;
      expect([calls().length, tasks().length]).toEqual([left, left]);
      expect((await app.owner.query('select from crm_syncs')).rowCount).toBe(0);
      expect(await audited('CRM_CALL_DELETED')).toHaveLength(1 - left);
    },
  );

  test('the mapping decides what goes where', async () => {
    await connectTo(ada, vendor, crm());
    const path = `/api/crm-connections/${(await key()).id}`;
    const name = vendor === 'hubspot' ? 'rapport_score' : 'Rapport_Score__c';
    const mapping = {
      ...defaultMapping,
      notes: { isSent: false, property: null },
      score: { isSent: true, property: name },
      actionItems: { isSent: false },
    };
    await ada.call(updateCrm, { params: await key(), body: { mapping } });
    crms[vendor].addContact(customer);
    const { call } = await endedCall(app, ada, customer);
    await ada.call(addActionItem, { params: { id: call.id }, body: { title: 'One' } });
    const preview = await ada.send('POST', `${path}/preview`, { mapping });
    expect(preview.body).toMatchObject({ topic: 'Kick-off', tasks: [] });
    await send();
    expect(String(calls()[0]?.fields[name])).toBe('9');
    expect(textOf()).not.toContain('seats');
    expect(textOf()).not.toContain('rating');
    expect(tasks()).toEqual([]);
    const fields = Object.entries(calls()[0]?.fields ?? {}).filter(([one]) => one !== 'WhoId');
    expect((preview.body as { fields: unknown }).fields).toEqual(
      expect.arrayContaining(fields.map(([one, value]) => ({ name: one, value: String(value) }))),
    );
    const taken = { ...mapping, summary: { isSent: true, property: name.toUpperCase() } };
    for (const wrong of [taken, { ...mapping, notes: { isSent: true, property: 'hs_call_body' } }])
      expect((await ada.send('PATCH', path, { mapping: wrong })).status).toBe(400);
  });
});

test('tokens never go to an instance that is not Salesforce’s', async () => {
  const { salesforce } = crms;
  for (const url of [
    'http://acme.my.salesforce.com',
    'https://169.254.169.254',
    'https://salesforce.com.evil.example',
    'https://evilsalesforce.com',
    'https://acme.my.salesforce.com:8443',
    'not a url',
  ]) {
    salesforce.instanceUrl = url;
    const { url: asked } = await ada.call(authorizeCrm, { body: { vendor: 'salesforce' } });
    const body = salesforce.allow(asked);
    const refused = await ada.send('POST', '/api/crm-connections', {
      vendor: 'salesforce',
      ...body,
    });
    expect([url, refused.status]).toEqual([url, 409]);
  }
  salesforce.instanceUrl = null;
  expect(salesforce.asked).toEqual([]);
});

test('an organization with a slow CRM does not hold others up', async () => {
  const eve = await newOrganization(app);
  await connectTo(ada, 'hubspot', crms.hubspot);
  await connectTo(eve, 'salesforce', crms.salesforce);
  crms.salesforce.addContact(customer);
  for (let n = 0; n < 6; n += 1) await endedCall(app, ada, customer);
  const mine = await endedCall(app, eve, customer);
  const hold = Promise.withResolvers<void>();
  crms.hubspot.gate = hold.promise;
  await skipCrmWaits(app);
  const slow = syncDue(app.services);
  try {
    await expect
      .poll(async () => (await eve.call(listCrmSyncs, { params: { id: mine.call.id } }))[0]?.state)
      .toBe('synced');
    await expect.poll(() => crms.hubspot.asked.length).toBe(4);
    expect(await syncDue(app.services)).toBe(0);
  } finally {
    hold.resolve();
    crms.hubspot.gate = Promise.resolve();
    await slow;
  }
});
