import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCall, updateCall } from '#domain/calls/contract.ts';
import type { OrgId } from '#domain/ids.ts';
import { updateRetention } from '#domain/privacy/contract.ts';
import { placeLegalHold } from '#domain/recordings/contract.ts';
import { tenantOf } from '#server/platform/access.ts';
import { forgetOldEverywhere } from '#server/privacy/forget-old.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let id: string;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  id = (await runningCall(ada)).call.id;
});
afterAll(() => app.close());

const hold = () => ada.send('PUT', `/api/calls/${id}/legal-hold`, { reason: 'A dispute' });
const lockLines = {
  name: 'lock_lines_of_test',
  text: 'select from transcript_lines where call_id = $1 for update',
};
const lockCall = {
  name: 'lock_call_of_test',
  text: 'select from calls where id = $1 for no key update',
};
const place = {
  name: 'place_hold_of_test',
  text: `insert into legal_holds (org_id, call_id, reason, placed_by) values ($1, $2, 'A dispute', $3)`,
};
const held = { status: 409, body: { code: 'legal_hold' } };
const end = () => ada.send('PUT', `/api/calls/${id}`, { endForEveryone: true });

test('R28-A4: a hold waits for a retention rule at work, and keeps what is there afterwards', async () => {
  await end();
  await storeTranscriptLine(app, id, { text: 'Words.' });
  await ada.call(updateRetention, { body: { transcripts: 1 } });
  const lines = async () =>
    (await app.owner.query('select from transcript_lines where call_id = $1', [id])).rowCount;
  const order: string[] = [];
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const system = { kind: 'system', name: 'test', orgId: ada.user.orgId as OrgId } as const;
  const other = tenantOf(app.services.database, system, null).transaction(async ({ run }) => {
    await run(lockLines, [id]);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const later = new Date(Date.now() + 9 * 86_400_000);
  const retention = forgetOldEverywhere(app.services, later).then(() => order.push('retention'));
  const waiting = (count: number) => expect.poll(() => lockWaiters(app)).toBe(count);
  await waiting(1);
  const placed = hold().then(({ status }) => order.push(`hold ${status}`));
  await waiting(2);
  released.resolve();
  await Promise.all([other, retention, placed]);
  expect(order).toEqual(['retention', 'hold 204']);
  expect(await lines()).toBe(0);
  await storeTranscriptLine(app, id, { text: 'Further words.' });
  await forgetOldEverywhere(app.services, later);
  expect(await lines()).toBe(1);
});

test('R28-A5: action items and notes of an ended call under hold are not edited or deleted', async () => {
  await ada.call(updateCall, { params: { id }, body: { notesSnapshot: 'As it was' } });
  await end();
  const items = `/api/calls/${id}/action-items`;
  const item = (await ada.send('POST', items, { title: 'Send the offer' })).body as { id: string };
  const path = `/api/action-items/${item.id}`;
  await hold();
  expect(await ada.send('DELETE', path)).toMatchObject(held);
  expect(await ada.send('PATCH', path, { title: 'Nothing' })).toMatchObject(held);
  expect(await ada.send('PUT', `/api/calls/${id}`, { notesSnapshot: 'Else' })).toMatchObject(held);
  expect((await ada.send('GET', `/api/calls/${id}`)).body).toMatchObject({
    notesSnapshot: 'As it was',
  });
  // What adds to the call goes on.
  expect((await ada.send('PATCH', path, { isCompleted: true })).status).toBe(200);
  expect((await ada.send('POST', items, { title: 'Ask the lawyer' })).status).toBe(201);
});

test('R29-A2: nor are its ticks and an earlier score, which is given once', async () => {
  const { checklistStateJson } = await ada.call(readCall, { params: { id } });
  const [item = ''] = Object.keys(checklistStateJson);
  const put = (body: object) => ada.send('PUT', `/api/calls/${id}`, body);
  await put({ checklistChanges: { [item]: true } });
  await end();
  await hold();
  expect(await put({ checklistChanges: { [item]: false } })).toMatchObject(held);
  expect((await put({ npsScore: 2, npsFeedback: 'they cheated' })).status).toBe(200);
  expect(await put({ npsScore: 10, npsFeedback: 'all fine' })).toMatchObject(held);
  expect((await ada.send('GET', `/api/calls/${id}`)).body).toMatchObject({
    npsScore: 2,
    npsFeedback: 'they cheated',
    checklistStateJson: { ...checklistStateJson, [item]: true },
    legalHold: true,
  });
});

test('a deletion that waits for a hold sees it', async () => {
  await end();
  const items = `/api/calls/${id}/action-items`;
  const item = (await ada.send('POST', items, { title: 'Send the offer' })).body as { id: string };
  const [placed, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const system = { kind: 'system', name: 'test', orgId: ada.user.orgId as OrgId } as const;
  const placing = tenantOf(app.services.database, system, null).transaction(async ({ run }) => {
    await run(lockCall, [id]);
    await run(place, [ada.user.orgId, id, ada.user.id]);
    placed.resolve();
    await waited.promise;
  });
  await placed.promise;
  const deleted = ada.send('DELETE', `/api/action-items/${item.id}`);
  await expect.poll(() => lockWaiters(app)).toBe(1);
  waited.resolve();
  await placing;
  expect(await deleted).toMatchObject(held);
});

test('a running call under hold is written on', async () => {
  await ada.call(placeLegalHold, { params: { id }, body: { reason: 'A dispute' } });
  await ada.call(updateCall, { params: { id }, body: { notesSnapshot: 'Going on' } });
  expect((await ada.send('GET', `/api/calls/${id}`)).body).toMatchObject({
    notesSnapshot: 'Going on',
  });
});
