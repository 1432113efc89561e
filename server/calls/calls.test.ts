import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCall, updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a second POST while a call runs answers the running call', async () => {
  const ada = await newOrganization(app);
  const { call, room } = await runningCall(ada);
  const again = await ada.send('POST', '/api/calls', { roomId: room.id });
  expect(again).toMatchObject({ status: 200, body: { id: call.id } });
});

test('of twelve concurrent starts exactly one creates a call', async () => {
  const ada = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
  const starts = await Promise.all(
    Array.from({ length: 12 }, () => ada.send('POST', '/api/calls', { roomId: room.id })),
  );
  expect(starts.filter((start) => start.status === 201)).toHaveLength(1);
  const ids = new Set(starts.map((start) => (start.body as { id: string }).id));
  expect(ids.size).toBe(1);
});

test('the call keeps the checklist it started with, and the PUT replaces the whole map', async () => {
  const ada = await newOrganization(app);
  const { call, playbook } = await runningCall(ada);
  const [greet, agree] = playbook.checklistItems.map((item) => item.id);
  const put = (checklistStateJson: object) =>
    ada.call(updateCall, { params: { id: call.id }, body: { checklistStateJson } });
  await put({ [`${greet}`]: true });
  const replaced = await put({ [`${agree}`]: true });
  expect(replaced.checklistStateJson).toEqual({ [`${greet}`]: false, [`${agree}`]: true });
});

test('two clients that ticked different items while offline both keep their ticks', async () => {
  const ada = await newOrganization(app);
  const { call, playbook } = await runningCall(ada);
  const [greet, agree] = playbook.checklistItems.map((item) => item.id);
  const put = (checklistChanges: object) =>
    ada.call(updateCall, { params: { id: call.id }, body: { checklistChanges } });
  await Promise.all([put({ [`${greet}`]: true }), put({ [`${agree}`]: true })]);
  const unticked = await put({ [`${greet}`]: false });
  expect(unticked.checklistStateJson).toEqual({ [`${greet}`]: false, [`${agree}`]: true });
  const unknown = { '01900000-0000-7000-8000-000000000000': true };
  expect(
    await ada.send('PUT', `/api/calls/${call.id}`, { checklistChanges: unknown }),
  ).toMatchObject({ status: 404, body: { code: 'unknown_item' } });
});

test('clearing notes is saved once notes exist, and an empty first save creates none', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const put = (notesSnapshot: string) =>
    ada.call(updateCall, { params: { id: call.id }, body: { notesSnapshot } });
  expect((await put('')).notesSnapshot).toBeNull();
  expect((await put('asked for a discount')).notesSnapshot).toBe('asked for a discount');
  expect((await put('')).notesSnapshot).toBe('');
});

test('another organization gets 404 for a call, and changes nothing', async () => {
  const ada = await newOrganization(app);
  const eve = await newOrganization(app);
  const { call } = await runningCall(ada);
  const unknown = await eve.send('PUT', '/api/calls/01900000-0000-7000-8000-000000000000', {});
  const foreign = await eve.send('PUT', `/api/calls/${call.id}`, { npsScore: 1 });
  expect(foreign).toMatchObject({ status: 404, body: unknown.body as object });
  const { rows } = await app.owner.query('select * from ratings where call_id = $1', [call.id]);
  expect(rows).toEqual([]);
});

test('a score of 11 is refused with an error message', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const refused = await ada.send('PUT', `/api/calls/${call.id}`, { npsScore: 11 });
  expect(refused).toMatchObject({
    status: 400,
    body: { message: 'Please choose a score from 0 to 10' },
  });
});

test('a viewer reads calls and cannot start one', async () => {
  const ada = await newOrganization(app);
  const viewer = await newMember(app, ada, 'VIEWER');
  const { room } = await runningCall(ada);
  expect(await viewer.send('GET', '/api/calls')).toMatchObject({ status: 200 });
  expect(await viewer.send(startCall.method, startCall.path, { roomId: room.id })).toMatchObject({
    status: 403,
  });
});
