import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listCrmConnections } from '#domain/crm/contract.ts';
import { type CrmVendor, crmVendors, vendorNames } from '#domain/crm/mapping.ts';
import { updateOrganization } from '#domain/organizations/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { CrmStandIns, sendWaiting } from '#server/testing/crm-stand-ins.ts';
import { connectTo, endedCall } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

const customer = 'gus@customer.example';
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
const crms = new CrmStandIns();
beforeAll(async () => {
  await crms.open();
  app = await openTestApp({
    ...crms.settings,
    PUBLIC_URL: 'https://calls.example.com',
    RATE_LIMIT_SCALE: '1',
  });
});
afterAll(async () => {
  await app.close();
  await crms.close();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  await app.owner.query('delete from mails');
  app.mails.length = 0;
});

/** An organization whose CRM does not accept its access any more, with calls that wait. */
async function revoked(vendor: CrmVendor) {
  await connectTo(ada, vendor, crms[vendor]);
  await endedCall(app, ada, customer);
  crms[vendor].revokeAll();
}
async function send() {
  await sendWaiting(app);
  await sendDueMails(app.services);
  return app.mails.splice(0);
}
const stateOf = async (vendor: CrmVendor) =>
  (await ada.call(listCrmConnections)).find((one) => one.vendor === vendor)?.state;

test.each(crmVendors)(
  'admins get one mail in their language when %s needs attention',
  async (vendor) => {
    const name = vendorNames[vendor];
    await ada.call(updateOrganization, {
      params: { orgId: ada.user.orgId ?? '' },
      body: { name: 'Acme Success', plan: 'starter', brandColor: '#aa3355' },
    });
    const grace = await newMember(app, ada, 'ORGADMIN');
    await app.owner.query(`update accounts set language = 'de' where id = $1`, [grace.user.id]);
    await newMember(app, ada, 'AGENT');
    await revoked(vendor);
    await endedCall(app, ada, customer);
    await app.owner.query('delete from mails');

    const mails = await send();
    expect(mails.map(({ to }) => to).toSorted()).toEqual(
      [ada.user.email, grace.user.email].toSorted(),
    );
    const [english, german] = [ada, grace].map((of) =>
      mails.find(({ to }) => to === of.user.email),
    );
    expect(english?.subject).toBe(`${name} needs attention`);
    expect(english?.text).toContain(`${name} no longer accepts Rapport’s access.`);
    expect(english?.text).toContain('https://calls.example.com/app/settings');
    expect(english?.html).toContain('Acme Success');
    expect(english?.html).toContain('#aa3355');
    expect(german?.subject).toBe(`${name} braucht Ihre Aufmerksamkeit`);
    expect(german?.text).toContain('Wartende Gespräche werden dann gesendet.');
    expect(await send(), 'the same occurrence').toEqual([]);
  },
);

test('access that does not suffice is mailed with what to do about it', async () => {
  await connectTo(ada, 'hubspot', crms.hubspot);
  await endedCall(app, ada, customer);
  crms.hubspot.next.push({ status: 403, body: { message: 'scopes', category: 'MISSING_SCOPES' } });
  const [mail] = await send();
  expect(mail?.text).toContain('may not add calls or tasks in HubSpot');
});

test('each occurrence is mailed, three times a day at most', async () => {
  const counts = [];
  for (let time = 0; time < 4; time += 1) {
    await revoked('hubspot');
    counts.push((await send()).length);
    expect(await stateOf('hubspot')).toBe('needs_attention');
  }
  expect(counts).toEqual([1, 1, 1, 0]);
  await revoked('salesforce');
  expect(await send(), 'the other CRM').toHaveLength(1);
});

test('without its mails, the change of state is not committed', async () => {
  await revoked('hubspot');
  await app.owner.query(
    `alter table mails add constraint no_mail check (kind <> 'notice') not valid`,
  );
  try {
    expect(await send()).toEqual([]);
    expect(await stateOf('hubspot')).toBe('connected');
  } finally {
    await app.owner.query('alter table mails drop constraint no_mail');
  }
});
