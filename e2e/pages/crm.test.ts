import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrmSync } from '#domain/crm/contract.ts';
import { type CrmVendor, crmVendors, vendorNames } from '#domain/crm/mapping.ts';
import type { CrmObject } from '#server/testing/crm-stand-in.ts';
import { HubspotStandIn } from '#server/testing/hubspot-stand-in.ts';
import { SalesforceStandIn } from '#server/testing/salesforce-stand-in.ts';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { takePicture } from '../support/picture.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

const customer = 'gus@customer.example';
const crms = { hubspot: new HubspotStandIn(), salesforce: new SalesforceStandIn() };
let program: Program;
let ada: Person;
let gus: Person;
let prepared: Prepared;
let callId: string;

beforeAll(async () => {
  for (const crm of Object.values(crms)) await crm.open();
  program = await startProgram({
    ALLOW_PRIVATE_TARGETS: '127.0.0.1',
    ...crms.hubspot.settings,
    ...crms.salesforce.settings,
  });
  ada = await openBrowser({ devices: 'none' });
  gus = await openBrowser({ devices: 'none' });
  prepared = await prepareRoom(program.url, 'Kick-off');
  await prepared.user.signIn(ada);
});
afterAll(async () => {
  await ada?.close();
  await gus?.close();
  if (program) await discard(program);
  for (const crm of Object.values(crms)) await crm.close();
});

const picture = (name: string) => takePicture(ada.page, name);

/** A CRM in the settings, or on a call's page. */
const rowOf = (vendor: CrmVendor) =>
  ada.page.getByRole('listitem').filter({
    has: ada.page.getByRole('heading', { name: vendorNames[vendor], level: 3, exact: true }),
  });
const openSettings = () => ada.page.goto(`${program.url}/app/settings`);
const openCall = () => ada.page.goto(`${program.url}/app/calls/${callId}`);

/** Goes to the vendor and back. @returns the address to which the vendor redirects */
async function connect(vendor: CrmVendor, choice: 'Allow' | 'Deny'): Promise<string> {
  const { page } = ada;
  await rowOf(vendor)
    .getByRole('button', { name: /^Connect/ })
    .click();
  await page.getByRole('heading', { name: 'Connect Rapport?' }).waitFor();
  expect(page.url()).toContain(crms[vendor].url);
  const link = page.getByRole('link', { name: choice });
  const address = (await link.getAttribute('href')) ?? '';
  await link.click();
  await page.waitForURL(`${program.url}/app/settings`);
  return address;
}

const syncOf = async (vendor: CrmVendor) =>
  (await prepared.user.send<CrmSync[]>('GET', `/api/calls/${callId}/crm-syncs`)).find(
    (one) => one.vendor === vendor,
  );
/** What was edited is sent after a while; here, now. */
const sendNow = (vendor: CrmVendor) =>
  prepared.user.send('POST', `/api/calls/${callId}/crm-syncs`, { vendor });
const becomes = (vendor: CrmVendor, expected: Partial<CrmSync>) =>
  expect.poll(() => syncOf(vendor), { interval: 100 }).toMatchObject(expected);
/** Both are sent at the same time. */
const becomeSent = () =>
  Promise.all(
    crmVendors.map(async (vendor) => {
      await sendNow(vendor);
      await becomes(vendor, { state: 'synced' });
    }),
  );
const rate = (npsScore: number) => prepared.user.send('PUT', `/api/calls/${callId}`, { npsScore });

const objects = {
  hubspot: () => ({ calls: crms.hubspot.of('calls'), tasks: crms.hubspot.of('tasks') }),
  salesforce: () => {
    const tasks = crms.salesforce.of('Task');
    const isCall = ({ fields }: CrmObject) => fields.TaskSubtype === 'Call';
    return { calls: tasks.filter(isCall), tasks: tasks.filter((one) => !isCall(one)) };
  },
};
/** Mails to Ada about CRMs. */
const mails = () => {
  const outbox = join(program.dataDir, 'outbox');
  return readdirSync(outbox)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(outbox, name), 'utf8').replaceAll(/=\r?\n/g, ''))
    .filter((mail) => /^Subject: \w+ needs attention/m.test(mail));
};

test('a consent that is denied says so, and one that is given shows as whom', async () => {
  const { page } = ada;
  await openSettings();
  await connect('hubspot', 'Deny');
  await page.getByText('HubSpot isn’t connected').first().waitFor();
  await page.getByText('The access wasn’t granted').first().waitFor();
  await rowOf('hubspot').getByText('Not Connected').waitFor();

  const address = await connect('hubspot', 'Allow');
  await page.getByText('HubSpot is connected').first().waitFor();
  await rowOf('hubspot').getByText('Connected as ada@acme.example (acme.example)').waitFor();
  await connect('salesforce', 'Allow');
  await rowOf('salesforce').getByText('Connected as ada@acme.example').waitFor();
  await picture('connected');

  await page.goto(address);
  await page.getByText('This connection attempt has expired or was used already').first().waitFor();
  await rowOf('hubspot').getByText('Connected', { exact: true }).waitFor();
  expect(crms.hubspot.openRefreshTokens).toBe(1);
});

test('a call with a guest reaches the customer’s contact, as the mapping says, and edits update it', async () => {
  const { page } = ada;
  const contact = crms.hubspot.addContact(customer);
  crms.hubspot.addContact('another@customer.example');
  const lead = crms.salesforce.addLead(customer);
  const { user, roomId, guestUrl } = prepared;
  await user.send('PATCH', `/api/rooms/${roomId}`, { customerEmail: customer });
  callId = (await user.send<{ id: string }>('POST', '/api/calls', { roomId })).id;
  await gus.page.goto(guestUrl);
  await gus.page.getByLabel('Your name').fill('Gus');
  await gus.page.getByRole('button', { name: 'Join', exact: true }).click();
  await gus.page.getByText('You’re the only one here').waitFor();
  await user.send('PUT', `/api/calls/${callId}`, {
    endedAt: new Date().toISOString(),
    endForEveryone: true,
    npsScore: 9,
    notesSnapshot: 'They want two more seats.',
  });
  await user.send('POST', `/api/calls/${callId}/action-items`, { title: 'Send the offer' });

  await openSettings();
  await rowOf('hubspot').getByText('1 call is waiting to be sent').waitFor();
  await page.getByRole('button', { name: 'Actions for HubSpot' }).click();
  await page.getByRole('menuitem', { name: 'What is sent' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Own property: The team’s rating').fill('rapport_score');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('“Kick-off” in HubSpot').waitFor();
  await dialog.getByText('rapport_score').waitFor();
  await dialog.getByText('Send the offer').waitFor();
  expect(await axeViolations(page, 'part')).toEqual([]);
  await picture('mapping');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });

  await openCall();
  await rowOf('hubspot').getByText('Waiting to be sent').waitFor();
  await becomeSent();
  for (const vendor of crmVendors)
    await rowOf(vendor)
      .getByText(/^Sent /)
      .waitFor();
  await picture('sent');
  const [hubspot, salesforce] = [objects.hubspot(), objects.salesforce()];
  const { hs_call_body: body, rapport_score: score } = hubspot.calls[0]?.fields ?? {};
  expect(score).toBe('9');
  expect(hubspot.calls[0]?.contacts).toMatchObject([{ id: contact.id }]);
  expect(hubspot.tasks[0]?.contacts).toMatchObject([{ id: contact.id }]);
  const { Description: text, WhoId: who } = salesforce.calls[0]?.fields ?? {};
  expect(who).toBe(lead.id);
  expect(text).toContain('rating: 9 of 10');
  for (const one of [body, text]) {
    expect(one).toContain('They want two more seats.');
    expect(one).toContain(`${program.url}/app/calls/${callId}`);
  }
  expect(hubspot.tasks[0]?.fields).toMatchObject({ hs_task_subject: 'Send the offer' });
  expect(salesforce.tasks[0]?.fields).toMatchObject({ Subject: 'Send the offer', WhoId: lead.id });

  await page.getByRole('checkbox', { name: /Send the offer/ }).click();
  await page.getByText('Done by Ada Lovelace').waitFor();
  await rate(6);
  for (const vendor of crmVendors) await becomes(vendor, { state: 'waiting' });
  await becomeSent();
  expect(objects.hubspot().calls).toMatchObject([
    { id: hubspot.calls[0]?.id, fields: { rapport_score: '6' } },
  ]);
  expect(objects.hubspot().tasks).toMatchObject([
    { id: hubspot.tasks[0]?.id, fields: { hs_task_status: 'COMPLETED' } },
  ]);
  expect(objects.salesforce().calls.map(({ id }) => id)).toEqual([salesforce.calls[0]?.id]);
  expect(objects.salesforce().calls[0]?.fields.Description).toContain('rating: 6 of 10');
  expect(objects.salesforce().tasks).toMatchObject([
    { id: salesforce.tasks[0]?.id, fields: { Status: 'Completed' } },
  ]);
});

test('access that was revoked at the vendor needs attention, and connecting again sends what waited', async () => {
  crms.hubspot.revokeAll();
  await rate(7);
  await sendNow('hubspot');
  await becomes('hubspot', { state: 'waiting', isHeld: true });
  await openCall();
  await rowOf('hubspot').getByText('Waits until an admin connects HubSpot again.').waitFor();
  await picture('held');
  await openSettings();
  await rowOf('hubspot').getByText('Needs attention').waitFor();
  await rowOf('hubspot').getByText('HubSpot no longer accepts our access').waitFor();
  await picture('needs-attention');
  await expect.poll(() => mails().length).toBe(1);
  await connect('hubspot', 'Allow');
  await becomes('hubspot', { state: 'synced' });
  await rowOf('hubspot').getByText('Connected', { exact: true }).waitFor();
  expect(objects.hubspot().calls).toMatchObject([{ fields: { rapport_score: '7' } }]);
});

test('a call that someone deleted in the CRM is sent by Try again', { tags: 'full' }, async () => {
  const [before] = objects.hubspot().calls;
  crms.hubspot.objects.delete(before?.id ?? '');
  await rate(8);
  await sendNow('hubspot');
  await becomes('hubspot', { state: 'failed', reason: 'deleted_there' });
  await openCall();
  await rowOf('hubspot').getByText('Someone deleted it in HubSpot.').waitFor();
  await picture('failed');
  await rowOf('hubspot').getByRole('button', { name: 'Send to HubSpot again' }).click();
  await becomes('hubspot', { state: 'synced' });
  expect(objects.hubspot().calls).toMatchObject([{ fields: { rapport_score: '8' } }]);
});

test('Disconnect revokes the access, and the card says Not Connected', async () => {
  const { page } = ada;
  await openSettings();
  for (const vendor of crmVendors) {
    const name = vendorNames[vendor];
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Disconnect' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText(`${name} is disconnected`).first().waitFor();
    await rowOf(vendor).getByText('Not Connected').waitFor();
    expect(crms[vendor].openRefreshTokens).toBe(0);
    expect(crms[vendor].refused).toEqual([]);
  }
  expect(mails(), 'of the one occurrence').toHaveLength(1);
  // The state that was used twice.
  expect(ada.complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
});
