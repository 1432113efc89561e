import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addActionItem } from '#domain/action-items/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { listCrmConnections, listCrmSyncs, updateCrm } from '#domain/crm/contract.ts';
import { type CrmMapping, crmVendors, defaultMapping } from '#domain/crm/mapping.ts';
import { CrmStandIns, sendWaiting } from '#server/testing/crm-stand-ins.ts';
import { connectTo, endedCall } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
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
  expect(await crms.reset(app)).toEqual([]);
});

const send = () => sendWaiting(app);
/** Stores what an analysis of a phrase would: a summary, and an item with a quotation. */
async function understood(call: string) {
  await storeTranscriptLine(app, call, { text: 'I order the marmalade.' });
  const summary = [
    { text: 'Cleo orders marmalade.', cites: [{ kind: 'note', line: 1, quote: 'marmalade' }] },
  ];
  const insights = { summary, topics: null, questions: null, talk: null, isPartial: false };
  await app.owner.query(
    `insert into call_insights (call_id, org_id, state, insights, generated_at)
       select id, org_id, 'ready', $2, now() from calls where id = $1`,
    [call, insights],
  );
}
const citeIn = (item: string, call: string) =>
  app.owner.query(
    `update action_items set description = 'She said: marmalade', cited_start_ms = 0, cited_speaker = 'Cleo',
        cited_line_id = (select id from transcript_lines where call_id = $2 limit 1) where id = $1`,
    [item, call],
  );
/** What a withdrawal does. */
const withdraw = (call: string) =>
  app.owner.query('delete from transcript_lines where call_id = $1', [call]);

describe.each(crmVendors)('%s', (vendor) => {
  const connect = async (change: Partial<CrmMapping> = {}) => {
    await connectTo(ada, vendor, crms[vendor]);
    crms[vendor].addContact(customer);
    await map(change);
  };
  const map = async (change: Partial<CrmMapping>) => {
    const id = (await ada.call(listCrmConnections)).find((one) => one.vendor === vendor)?.id ?? '';
    await ada.call(updateCrm, {
      params: { id },
      body: { mapping: { ...defaultMapping, ...change } },
    });
  };
  const stored = () =>
    JSON.stringify([...crms[vendor].objects.values()].map(({ fields }) => fields));
  const property = vendor === 'hubspot' ? 'rapport_summary' : 'Rapport_Summary__c';
  const inProperty = { summary: { isSent: true, property } };
  const sentCall = async () => {
    const { call } = await endedCall(app, ada, customer);
    await understood(call.id);
    await send();
    expect(stored()).toContain('marmalade');
    return call;
  };

  test.each([
    ['the text of the call', {}],
    ['a property', inProperty],
  ])('R18-1: a summary that was withdrawn is removed from %s', async (_where, change) => {
    await connect(change);
    const call = await sentCall();
    await withdraw(call.id);
    await send();
    expect(stored()).not.toContain('marmalade');
    const fields = [...crms[vendor].objects.values()].map((one) => one.fields[property]);
    if ('summary' in change) expect(fields).toContain(vendor === 'hubspot' ? '' : null);
  });

  test('R18-1: a property that is mapped no more is emptied with the next change of the call', async () => {
    await connect(inProperty);
    const call = await sentCall();
    await map({ summary: { isSent: false, property: null } });
    await withdraw(call.id);
    await send();
    expect(stored()).not.toContain('marmalade');
    // A property that does not exist any more does not keep back the rest.
    await map(inProperty);
    await understood(call.id);
    await send();
    await map({ summary: { isSent: false, property: null } });
    crms[vendor].next.push({
      status: 400,
      body:
        vendor === 'hubspot'
          ? { message: 'Property values were not valid', category: 'VALIDATION_ERROR' }
          : [{ message: 'No such column', errorCode: 'INVALID_FIELD' }],
    });
    await ada.call(updateCall, { params: { id: call.id }, body: { npsScore: 2 } });
    await send();
    expect(stored()).toContain('2 of 10');
  });

  test('R18-1: what a CRM has refused before is sent again once something was withdrawn', async () => {
    await connect();
    const call = await sentCall();
    crms[vendor].next.push({
      status: 400,
      body:
        vendor === 'hubspot'
          ? { message: 'No', category: 'VALIDATION_ERROR' }
          : [{ message: 'No', errorCode: 'INVALID_FIELD' }],
    });
    await ada.call(updateCall, { params: { id: call.id }, body: { npsScore: 2 } });
    await send();
    expect((await ada.call(listCrmSyncs, { params: { id: call.id } }))[0]?.state).toBe('failed');
    await withdraw(call.id);
    await send();
    expect(stored()).not.toContain('marmalade');
  });

  test('R18-1: tasks change and go with what was withdrawn, also where no new ones are sent', async () => {
    await connect();
    const { call } = await endedCall(app, ada, customer);
    await understood(call.id);
    const add = (title: string) =>
      ada.call(addActionItem, { params: { id: call.id }, body: { title } });
    const [kept, gone] = [await add('Call back'), await add('Order for Cleo')];
    for (const { id } of [kept, gone]) await citeIn(id, call.id);
    await app.owner.query('update action_items set title_edited_at = now() where id = $1', [
      kept.id,
    ]);
    await app.owner.query('update action_items set title_edited_at = null where id = $1', [
      gone.id,
    ]);
    await send();
    expect(stored()).toContain('Order for Cleo');
    expect(stored()).toContain('She said');
    await map({ actionItems: { isSent: false } });
    await withdraw(call.id);
    await add('Another');
    await send();
    expect(stored()).not.toMatch(/Order for Cleo|She said|Another/);
    expect(stored()).toContain('Call back');
  });

  test('R18-1: what is withdrawn while the CRM is asked for the contact does not leave', async () => {
    await connect();
    const { call } = await endedCall(app, ada, customer);
    await understood(call.id);
    const item = await ada.call(addActionItem, {
      params: { id: call.id },
      body: { title: 'Order for Cleo' },
    });
    await citeIn(item.id, call.id);
    await app.owner.query('update action_items set title_edited_at = null');
    const hold = Promise.withResolvers<void>();
    crms[vendor].gate = hold.promise;
    const sending = send();
    await expect.poll(() => crms[vendor].asked.length).toBe(1);
    await withdraw(call.id);
    hold.resolve();
    await sending;
    expect(JSON.stringify(crms[vendor].asked)).not.toMatch(/marmalade|Order for Cleo/);
    expect(stored()).toContain('9 of 10');
  });

  test('R18-1: under legal hold, words of a person who withdrew stay here and are removed there', async () => {
    await connect();
    const call = await sentCall();
    await app.owner.query(
      `insert into held_removals (org_id, call_id, participant_id)
         select org_id, call_id, participant_id from transcript_lines where call_id = $1`,
      [call.id],
    );
    await send();
    expect(stored()).not.toContain('marmalade');
  });

  test('R18-11: a call whose creation was not answered is deleted there if it is deleted here meanwhile', async () => {
    await connect();
    const id = (await ada.call(listCrmConnections)).find((one) => one.vendor === vendor)?.id ?? '';
    await ada.call(updateCrm, { params: { id }, body: { deletesCalls: true } });
    const { call } = await endedCall(app, ada, customer);
    const original = crms[vendor].answer.bind(crms[vendor]);
    crms[vendor].answer = (request) => {
      const reply = original(request);
      const creates = request.method === 'POST' && /objects\/(calls$|Task$)/.test(request.path);
      return creates ? { status: 502, body: '<h1>Bad gateway</h1>' } : reply;
    };
    try {
      await send();
    } finally {
      crms[vendor].answer = original;
    }
    expect(stored()).toContain(call.id);
    await app.owner.query('delete from calls where id = $1', [call.id]);
    await send();
    expect(stored()).not.toContain(call.id);
    expect((await app.owner.query('select from crm_syncs')).rowCount).toBe(0);
  });
});
