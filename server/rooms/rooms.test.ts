import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startCall, updateCall } from '#domain/calls/contract.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom, listRooms, openRoom } from '#domain/rooms/contract.ts';
import { VideoEngineError } from '#server/providers/video/port.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com/' });
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterAll(() => app.close());

test('a new room is active, shows its creator, and has no calls yet', async () => {
  const made = await ada.call(createRoom, { body: { topic: '  Kick-off  ' } });
  expect(made).toEqual({
    id: expect.any(String),
    topic: 'Kick-off',
    status: 'active',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    createdBy: { firstName: ada.user.firstName, email: ada.user.email },
    archivedAt: null,
    archivedBy: null,
    lobbySince: null,
    playbookId: null,
    playbook: null,
    calls: [],
    callCount: 0,
  });
  expect(await ada.call(listRooms)).toEqual([made]);
});

test.each([
  [{}, 'topic', 'Topic is required'],
  [{ topic: '   ' }, 'topic', 'Topic is required'],
  [{ topic: 'x'.repeat(201) }, 'topic', 'Please use at most 200 characters'],
])('%j is refused with the message of the spec', async (body, path, message) => {
  expect(await ada.send('POST', '/api/rooms', body)).toMatchObject({
    status: 400,
    body: { message, errors: [{ path, message }] },
  });
});

test('fields that are not in the spec are never stored', async () => {
  const extras = { status: 'archived', orgId: 'x', id: 'y', createdBy: null, archivedAt: 'now' };
  const made = await ada.call(createRoom, { body: { topic: 'Plain', ...extras } });
  expect(made).toMatchObject({ status: 'active', createdBy: { email: ada.user.email } });
});

test('another organization’s playbook is answered like an unknown one', async () => {
  const eve = await newOrganization(app);
  const { id } = await ada.call(createPlaybook, {
    body: { title: 'Ours', checklistItems: [{ text: 'Greet' }] },
  });
  expect(await eve.send('POST', '/api/rooms', { topic: 'Theirs', playbookId: id })).toMatchObject({
    status: 404,
  });
  expect(await eve.call(listRooms)).toEqual([]);
});

test('an opened room contains its checklist, the URL of the call and a token for it', async () => {
  const { room, playbook } = await runningCall(ada);
  const opened = await ada.call(openRoom, { params: { id: room.id } });
  expect(opened.playbook).toEqual({
    id: playbook.id,
    title: 'Onboarding',
    checklistItems: playbook.checklistItems,
  });
  expect(opened.dailyUrl).toBe(`https://calls.example.com/meet/${room.id}`);
  const { exp, ...claims } = decodeJwt(opened.meetingToken);
  expect(claims).toMatchObject({
    kind: 'staff',
    accountId: ada.user.id,
    orgId: ada.user.orgId,
    roomId: room.id,
  });
  const minutes = ((exp ?? 0) - Date.now() / 1000) / 60;
  expect(minutes).toBeGreaterThan(4);
  expect(minutes).toBeLessThanOrEqual(5);
});

test('each opening gets a new token, and a list never contains one', async () => {
  const { room } = await runningCall(ada);
  const again = await ada.call(openRoom, { params: { id: room.id } });
  expect(decodeJwt(again.meetingToken).participantId).not.toBe(
    decodeJwt(room.meetingToken).participantId,
  );
  for (const path of ['/api/rooms', '/api/calls']) {
    expect(JSON.stringify((await ada.send('GET', path)).body)).not.toMatch(/token|eyJ/i);
  }
});

test('the demo engine marks its URL', async () => {
  const mock = await openTestApp({ VIDEO_PROVIDER: 'mock' });
  try {
    const { room } = await runningCall(await newOrganization(mock));
    expect(room.dailyUrl).toContain('mock-video');
  } finally {
    await mock.close();
  }
});

test('a video provider that does not answer is reported, and the page may retry', async () => {
  const admit = () => Promise.reject(new VideoEngineError('down'));
  const broken = await openTestApp(
    {},
    { video: { name: 'daily', joins: 'unknown', page: null, mediaServer: null, admit } },
  );
  try {
    const bea = await newOrganization(broken);
    const { id } = await bea.call(createRoom, { body: { topic: 'Kick-off' } });
    expect(await bea.send('GET', `/api/rooms/${id}`)).toMatchObject({
      status: 503,
      body: { code: 'no_video', message: expect.stringContaining('try again') },
    });
  } finally {
    await broken.close();
  }
});

test('a room lists its newest calls and counts all', async () => {
  const { room, call } = await runningCall(ada);
  await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
  const second = await ada.call(startCall, { body: { roomId: room.id } });
  await app.owner.query(
    `insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec)
      select gen_random_uuid(), $1, $2, now(), now(), 0 from generate_series(1, 50)`,
    [ada.user.orgId, room.id],
  );
  const [listed] = await ada.call(listRooms);
  expect(listed?.callCount).toBe(52);
  expect(listed?.calls).toHaveLength(20);
  await app.owner.query('delete from calls where room_id = $1 and id not in ($2, $3)', [
    room.id,
    call.id,
    second.id,
  ]);
  const [left] = await ada.call(listRooms);
  expect(left?.calls).toEqual([{ id: second.id }, { id: call.id }]);
  expect(left?.callCount).toBe(2);
});

test('the list is paged by key: a room created meanwhile neither repeats nor hides one', async () => {
  for (const topic of ['1', '2', '3']) await ada.call(createRoom, { body: { topic } });
  const first = await ada.send('GET', '/api/rooms?limit=2');
  expect(first.body).toMatchObject([{ topic: '3' }, { topic: '2' }]);
  const link = /^<(\/api\/rooms\?[^>]+)>; rel="next"$/.exec(String(first.headers.link))?.[1];
  await ada.call(createRoom, { body: { topic: '4' } });
  const second = await ada.send('GET', link ?? '');
  expect(second.body).toMatchObject([{ topic: '1' }]);
  expect(second.headers.link).toBeUndefined();
});

test('a list returns 100 items by default, and at most 200', async () => {
  await app.owner.query(
    `insert into rooms (id, org_id, topic) select gen_random_uuid(), $1, 'x' from generate_series(1, 250)`,
    [ada.user.orgId],
  );
  const lengthOf = async (path: string) => ((await ada.send('GET', path)).body as []).length;
  expect(await lengthOf('/api/rooms')).toBe(100);
  expect(await lengthOf('/api/rooms?limit=200')).toBe(200);
});
