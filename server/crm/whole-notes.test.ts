import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mostNotesForCrm } from '#domain/crm/call-text.ts';
import { listCrmConnections } from '#domain/crm/contract.ts';
import { crmVendors, defaultMapping } from '#domain/crm/mapping.ts';
import { CrmStandIns, sendWaiting } from '#server/testing/crm-stand-ins.ts';
import { connectTo, endedCall } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import * as logged from './logged-call.ts';

let app: TestApp;
const crms = new CrmStandIns();
beforeAll(async () => {
  await crms.open();
  app = await openTestApp({ ...crms.settings, RATE_LIMIT_SCALE: '1' });
});
afterAll(async () => {
  await app.close();
  await crms.close();
});

test.each(crmVendors)(
  'R20-7: %s gets the beginning of the notes, and no more is read',
  async (vendor) => {
    const ada = await newOrganization(app);
    const customer = 'cleo@customer.example';
    await connectTo(ada, vendor, crms[vendor]);
    crms[vendor].addContact(customer);
    const { call } = await endedCall(app, ada, customer);
    const sql = 'update calls set notes_snapshot = $2 where id = $1';
    await app.owner.query(sql, [call.id, 'note '.repeat(200_000)]);
    const read = vi.spyOn(logged, 'readLoggedCall');
    const [connection] = (await ada.call(listCrmConnections)).filter(
      (one) => one.vendor === vendor,
    );
    const path = `/api/crm-connections/${connection?.id}/preview`;
    const preview = await ada.send('POST', path, { mapping: defaultMapping });
    expect(JSON.stringify(preview.body)).toContain('note note');
    await sendWaiting(app);
    expect(read.mock.results.length).toBeGreaterThanOrEqual(2);
    for (const { value } of read.mock.results)
      expect((await value).call.notes).toHaveLength(mostNotesForCrm);
    read.mockRestore();
    await crms.reset(app);
  },
);

test('R20-7: previews of one person have a rate', async () => {
  const ada = await newOrganization(app);
  await connectTo(ada, 'hubspot', crms.hubspot);
  const [connection] = (await ada.call(listCrmConnections)).filter(
    ({ vendor }) => vendor === 'hubspot',
  );
  const path = `/api/crm-connections/${connection?.id}/preview`;
  const statuses = new Set<number>();
  for (let n = 0; n < 70; n += 1)
    statuses.add((await ada.send('POST', path, { mapping: defaultMapping })).status);
  expect([...statuses]).toEqual([200, 429]);
  await crms.reset(app);
});
