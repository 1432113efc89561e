import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCall, startCall, updateCall } from '#domain/calls/contract.ts';
import { archivePlaybook, createPlaybook } from '#domain/playbooks/contract.ts';
import {
  archiveRoom,
  createRoom,
  listRooms,
  openRoom,
  readGuestLink,
  restoreRoom,
  updateRoom,
} from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let params: { id: string };
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  params = { id: (await ada.call(createRoom, { body: { topic: 'Kick-off' } })).id };
});
afterAll(() => app.close());

const events = async (entityId: string) =>
  (
    await app.owner.query('select action, metadata from audit_events where entity_id = $1', [
      entityId,
    ])
  ).rows;
const makePlaybook = (title = 'Renewal') =>
  ada.call(createPlaybook, { body: { title, checklistItems: [{ text: 'Greet' }] } });
const archived = {
  status: 409,
  body: {
    code: 'room_archived',
    message: 'This room is archived. Restore it on the Rooms page, or open another one.',
  },
};

test('topic and playbook are changed, absent fields stay, and the audit log names the fields', async () => {
  const playbook = await makePlaybook();
  const named = await ada.call(updateRoom, { params, body: { topic: ' Renewal ' } });
  expect(named).toMatchObject({ topic: 'Renewal', playbook: null });
  const both = await ada.call(updateRoom, { params, body: { playbookId: playbook.id } });
  expect(both).toMatchObject({ topic: 'Renewal', playbook: { id: playbook.id } });
  expect(await ada.call(updateRoom, { params, body: { playbookId: null } })).toMatchObject({
    topic: 'Renewal',
    playbook: null,
  });
  await ada.call(updateRoom, { params, body: { topic: 'Renewal' } });
  const updates = (await events(params.id)).filter(({ action }) => action === 'ROOM_UPDATED');
  expect(updates.map(({ metadata }) => metadata)).toEqual([
    { fields: ['topic'] },
    { fields: ['playbookId'] },
    { fields: ['playbookId'] },
  ]);
});

test.each([
  [{ topic: '   ' }, 'Topic is required'],
  [{ topic: 7 }, 'Topic is required'],
  [{ topic: 'x'.repeat(201) }, 'Please use at most 200 characters'],
])('%j is refused with the message of the spec, and nothing changes', async (body, message) => {
  expect(await ada.send('PATCH', `/api/rooms/${params.id}`, body)).toMatchObject({
    status: 400,
    body: { message, errors: [{ path: 'topic', message }] },
  });
  expect(await ada.call(listRooms)).toMatchObject([{ topic: 'Kick-off' }]);
});

test('an archived room shows who archived it and when, and moves from the list to the archive', async () => {
  const put = await ada.call(archiveRoom, { params });
  expect(put).toMatchObject({
    status: 'archived',
    archivedAt: expect.stringMatching(/Z$/),
    archivedBy: { firstName: ada.user.firstName, email: ada.user.email },
  });
  expect(await ada.call(archiveRoom, { params }), 'twice changes nothing').toEqual(put);
  expect(await ada.call(listRooms)).toEqual([]);
  expect(await ada.call(listRooms, { query: '?status=archived' })).toEqual([put]);
  const back = await ada.call(restoreRoom, { params });
  expect(back).toMatchObject({ status: 'active', archivedAt: null, archivedBy: null });
  expect(await ada.call(listRooms)).toEqual([back]);
  await ada.call(restoreRoom, { params });
  expect((await events(params.id)).map(({ action }) => action)).toEqual([
    'ROOM_CREATED',
    'ROOM_ARCHIVED',
    'ROOM_RESTORED',
  ]);
});

test('an archived room cannot be joined, called, or shared, and a restored one can', async () => {
  const { url } = await ada.call(readGuestLink, { params });
  const token = url.split('/').at(-1);
  await ada.call(archiveRoom, { params });
  const { id } = params;
  expect(await ada.send('GET', `/api/rooms/${id}`)).toMatchObject(archived);
  expect(await ada.send('POST', '/api/calls', { roomId: id })).toMatchObject(archived);
  expect(await ada.send('GET', `/api/rooms/${id}/guest-link`)).toMatchObject(archived);
  expect(await ada.send('POST', `/api/rooms/${id}/guest-link`)).toMatchObject(archived);
  expect(await new Visitor(app).send('GET', `/api/join/${token}`)).toMatchObject({
    status: 410,
    body: {
      code: 'room_archived',
      message: 'This room is closed. Ask your host for a new link.',
    },
  });
  await ada.call(restoreRoom, { params });
  expect(await ada.call(openRoom, { params })).toMatchObject({ meetingToken: expect.any(String) });
  expect(await new Visitor(app).send('GET', `/api/join/${token}`)).toMatchObject({ status: 200 });
});

test('a room with a running call cannot be archived; once the call has ended it can', async () => {
  const { room, call } = await runningCall(ada);
  expect(await ada.send('PUT', `/api/rooms/${room.id}/archive`)).toMatchObject({
    status: 409,
    body: {
      code: 'call_running',
      message: 'A call is in progress in this room. End it first, then archive the room.',
    },
  });
  await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
  await ada.call(archiveRoom, { params: { id: room.id } });
});

test('of archiving a room and concurrently starting a call in it, one succeeds', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await ada.call(createRoom, { body: { topic: `Race ${round}` } });
    const [archive, start] = await Promise.all([
      ada.send('PUT', `/api/rooms/${id}/archive`),
      ada.send('POST', '/api/calls', { roomId: id }),
    ]);
    expect([archive.status, start.status].sort()).toEqual(
      archive.status === 409 ? [201, 409] : [200, 409],
    );
  }
});

test('a new playbook for the room does not change its past and running calls', async () => {
  const { room, call, playbook } = await runningCall(ada);
  const other = await makePlaybook('Other');
  await ada.call(updateRoom, { params: { id: room.id }, body: { playbookId: other.id } });
  const kept = await ada.call(readCall, { params: { id: call.id } });
  expect(kept.checklistItems).toEqual(playbook.checklistItems);
  expect(kept.playbook).toEqual({ id: playbook.id, title: 'Onboarding' });
  await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
  const next = await ada.call(startCall, { body: { roomId: room.id } });
  expect(next.checklistItems).toEqual(other.checklistItems);
});

test('an archived playbook cannot be chosen any more, and stays where it is used', async () => {
  const playbook = await makePlaybook();
  await ada.call(updateRoom, { params, body: { playbookId: playbook.id } });
  await ada.call(archivePlaybook, { params: { id: playbook.id } });
  const refusal = {
    status: 409,
    body: {
      code: 'playbook_archived',
      message:
        'This playbook is archived. Choose another one, or restore it on the Playbooks page.',
    },
  };
  const body = { topic: 'New', playbookId: playbook.id };
  expect(await ada.send('POST', '/api/rooms', body)).toMatchObject(refusal);
  const { id } = await ada.call(createRoom, { body: { topic: 'Other' } });
  expect(await ada.send('PATCH', `/api/rooms/${id}`, body)).toMatchObject(refusal);
  expect(await ada.call(updateRoom, { params, body })).toMatchObject({
    topic: 'New',
    playbook: { id: playbook.id },
  });
});

test('a search matches anywhere in the topic, in any case, and treats wildcards literally', async () => {
  for (const topic of ['Acme – 100% onboarding', 'Globex_renewal', 'ÄRZTE'])
    await ada.call(createRoom, { body: { topic } });
  const found = async (search: string) =>
    (await ada.call(listRooms, { query: `?search=${encodeURIComponent(search)}` })).map(
      ({ topic }) => topic,
    );
  expect(await found('ACME')).toEqual(['Acme – 100% onboarding']);
  expect(await found('%')).toEqual(['Acme – 100% onboarding']);
  expect(await found('_')).toEqual(['Globex_renewal']);
  expect(await found('ärzte')).toEqual(['ÄRZTE']);
  expect(await found("'; drop table rooms; --")).toEqual([]);
  expect(await found('  ')).toHaveLength(4);
  expect(await ada.send('GET', '/api/rooms?search=%00')).toMatchObject({ status: 400 });
  expect(await ada.send('GET', '/api/rooms?status=gone')).toMatchObject({ status: 400 });
});

test('a viewer cannot change, archive or restore a room', async () => {
  const viewer = await newMember(app, ada, 'VIEWER');
  const url = `/api/rooms/${params.id}`;
  expect(await viewer.send('PATCH', url, { topic: 'x' })).toMatchObject({ status: 403 });
  expect(await viewer.send('PUT', `${url}/archive`)).toMatchObject({ status: 403 });
  expect(await viewer.send('DELETE', `${url}/archive`)).toMatchObject({ status: 403 });
  expect(await ada.call(listRooms)).toMatchObject([{ topic: 'Kick-off', status: 'active' }]);
});

test('switching the lobby on is stored with who and when, and in the audit log', async () => {
  const lobbyOf = async () =>
    (await app.owner.query('select lobby_at, lobby_by from rooms where id = $1', [params.id]))
      .rows[0];
  expect(await lobbyOf()).toEqual({ lobby_at: null, lobby_by: null });
  const on = await ada.call(updateRoom, { params, body: { lobby: true } });
  expect(on.lobbySince).toEqual(expect.any(String));
  const again = await ada.call(updateRoom, { params, body: { lobby: true, topic: 'Renewal' } });
  expect(again.lobbySince).toBe(on.lobbySince);
  expect(await lobbyOf()).toEqual({ lobby_at: expect.any(Date), lobby_by: ada.user.id });
  const off = await ada.call(updateRoom, { params, body: { lobby: false } });
  expect(off).toMatchObject({ lobbySince: null, topic: 'Renewal' });
  const updates = (await events(params.id)).filter(({ action }) => action === 'ROOM_UPDATED');
  expect(updates.map(({ metadata }) => metadata)).toEqual([
    { fields: ['lobby'] },
    { fields: ['topic'] },
    { fields: ['lobby'] },
  ]);
  const viewer = await newMember(app, ada, 'VIEWER');
  const refused = await viewer.send('PATCH', `/api/rooms/${params.id}`, { lobby: true });
  expect(refused.status).toBe(403);
});
