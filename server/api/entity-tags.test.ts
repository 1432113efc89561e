import { afterAll, beforeAll, expect, test } from 'vitest';
import { addActionItem } from '#domain/action-items/contract.ts';
import { createRoom, updateRoom } from '#domain/rooms/contract.ts';
import { allContracts } from '#server/testing/contracts.ts';
import { furnish } from '#server/testing/furnish.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { requestOf } from '#server/testing/requests.ts';
import { organizationToken, personalToken, program } from '#server/testing/token-things.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let send: ReturnType<typeof program>;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  const { token } = await organizationToken(ada, [
    ...(['rooms:read', 'rooms:write', 'calls:read', 'calls:write'] as const),
    ...(['playbooks:read', 'playbooks:write', 'webhooks:write'] as const),
  ]);
  send = program(app, token);
});
afterAll(() => app.close());

const newRoom = async (topic = 'Kick-off') => (await ada.call(createRoom, { body: { topic } })).id;
const tagOf = async (url: string, by = send) => String((await by('GET', url)).headers.etag);
const knowing = (tag: string) => ({ 'if-none-match': tag });
const only = (tag: string) => ({ 'if-match': tag });
const changed = { status: 412, body: { code: 'changed_since_read', status: 412 } };

test('what a client knows already is answered 304, without a body and its type', async () => {
  const id = await newRoom();
  for (const url of [`/api/rooms/${id}/summary`, '/api/rooms']) {
    const { headers } = await send('GET', url);
    const tag = String(headers.etag);
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(headers['cache-control']).toBe('no-store');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await send('GET', url, undefined, knowing(known));
      expect(again).toMatchObject({ status: 304, body: '', headers: { etag: tag } });
      expect(again.headers).not.toHaveProperty('content-type');
      expect(again.headers).not.toHaveProperty('content-length');
    }
    expect(await send('GET', url, undefined, knowing('"other"'))).toMatchObject({ status: 200 });
  }
});

test('changed data has another tag, and lists and objects change with it', async () => {
  const id = await newRoom();
  const urls = [`/api/rooms/${id}/summary`, '/api/rooms'];
  const before = await Promise.all(urls.map((url) => tagOf(url)));
  await ada.call(updateRoom, { params: { id }, body: { topic: 'Renewal' } });
  const after = await Promise.all(urls.map((url) => tagOf(url)));
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  const known = knowing(before.join(', '));
  expect((await send('GET', urls[0] ?? '', undefined, known)).status).toBe(200);
});

test('HEAD answers the headers of GET, and 304 like it', async () => {
  const url = `/api/rooms/${await newRoom()}/summary`;
  const of = (method: 'GET' | 'HEAD', headers = {}) =>
    app.http.inject({ method, url, headers: { cookie: ada.cookie, ...headers } });
  const got = await of('GET');
  const head = await of('HEAD');
  expect(head.body).toBe('');
  for (const name of ['etag', 'content-length', 'content-type'])
    expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
  const again = await of('HEAD', knowing(String(got.headers.etag)));
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect(again.headers['content-length']).toBe(got.headers['content-length']);
});

test('the tag of one organization, or of a person who may no longer read, answers nothing to another', async () => {
  const bob = await newOrganization(app);
  const id = await newRoom('Ours');
  const url = `/api/rooms/${id}/summary`;
  const tags = `${await tagOf(url)}, ${await tagOf('/api/rooms')}`;
  expect((await bob.send('GET', url, undefined, knowing('*'))).status).toBe(404);
  const theirs = await bob.send('GET', '/api/rooms', undefined, knowing(tags));
  expect(theirs).toMatchObject({ status: 200, body: [] });
  expect(theirs.headers.etag).not.toBe(await tagOf('/api/rooms'));
  expect((await app.http.inject({ url, headers: knowing('*') })).statusCode).toBe(401);
  const { token } = await personalToken(ada, ['calls:read']);
  const unscoped = await program(app, token)('GET', url, undefined, knowing('*'));
  expect(unscoped).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
});

test('a change with the tag that was read is made, and one with an older tag is refused and changes nothing', async () => {
  const id = await newRoom();
  const url = `/api/rooms/${id}`;
  const tag = await tagOf(`${url}/summary`);
  for (const wrong of ['"other"', `W/${tag}`, '', '"a", "b"'])
    expect(await send('PATCH', url, { topic: 'Lost' }, only(wrong))).toMatchObject(changed);
  expect(await send('PATCH', url, { topic: 'A' }, only(`"a", ${tag}`))).toMatchObject({
    status: 200,
    body: { topic: 'A' },
  });
  expect(await send('PATCH', url, { topic: 'B' }, only(tag))).toMatchObject(changed);
  expect(await send('GET', `${url}/summary`)).toMatchObject({ body: { topic: 'A' } });
  expect((await send('PATCH', url, { topic: 'C' }, only('*'))).status).toBe(200);
  expect((await send('PATCH', url, { topic: 'D' })).status).toBe(200);
});

test('of ten changes of one version exactly one is made', async () => {
  const id = await newRoom();
  const tag = await tagOf(`/api/rooms/${id}/summary`);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      send('PATCH', `/api/rooms/${id}`, { topic: `Version ${n}` }, only(tag)),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
});

test('a change that waits for another one is compared with what the other has stored', async () => {
  const id = await newRoom();
  const tag = await tagOf(`/api/rooms/${id}/summary`);
  await app.owner.query('begin');
  await app.owner.query("update rooms set topic = 'Theirs' where id = $1", [id]);
  const waiting = send('PATCH', `/api/rooms/${id}`, { topic: 'Mine' }, only(tag));
  await waitingForLocks(app);
  await app.owner.query('commit');
  expect(await waiting).toMatchObject(changed);
});

test('a call, a playbook, guest access, and an action item each have a tag, by which they are changed', async () => {
  const { call, playbook, room } = await runningCall(ada);
  const item = await ada.call(addActionItem, { params: { id: call.id }, body: { title: 'Call' } });
  const { title, version } = playbook;
  const checklistItems = playbook.checklistItems.map(({ id, text }) => ({ id, text }));
  const cases = [
    ['PUT', `/api/calls/${call.id}`, `/api/calls/${call.id}`, { npsScore: 9 }],
    ['PUT', `/api/calls/${call.id}`, `/api/calls/${call.id}`, { notesSnapshot: 'Notes' }],
    ['PUT', `/api/playbooks/${playbook.id}`, '', { title: `${title} 2`, checklistItems, version }],
    ['PUT', `/api/rooms/${room.id}/guest-access`, '', { waitingText: 'Soon' }],
    ['PATCH', `/api/action-items/${item.id}`, '', { isCompleted: true }],
  ] as const;
  for (const [method, url, reading, body] of cases) {
    const tag = await tagOf(reading || url);
    expect([url, await send(method, url, body, only('"other"'))]).toMatchObject([url, changed]);
    expect([url, await tagOf(reading || url)]).toEqual([url, tag]);
    expect([url, (await send(method, url, body, only(tag))).status]).toEqual([url, 200]);
  }
  const url = `/api/action-items/${item.id}`;
  expect((await send('DELETE', url, undefined, only(await tagOf(url)))).status).toBe(204);
  expect((await send('DELETE', url, undefined, only('*'))).status).toBe(404);
});

test('every change that tokens may make refuses the tag of another version', async () => {
  const owner = await newOrganization(app);
  const things = await furnish(app, owner);
  const all = await allContracts();
  const changes = all.filter(
    ({ method, scope }) => scope !== undefined && method !== 'GET' && method !== 'POST',
  );
  expect(changes.length).toBeGreaterThan(10);
  for (const contract of changes) {
    const { method, url, body } = requestOf(contract, things);
    const { status, body: said } = await owner.send(method, url, body, only('"other"'));
    expect([method, url, status, said]).toMatchObject([method, url, 412, { status: 412 }]);
  }
});

test('a viewer is refused before the tag is compared', async () => {
  const viewer = await newMember(app, ada, 'VIEWER');
  const id = await newRoom();
  const reply = await viewer.send('PATCH', `/api/rooms/${id}`, { topic: 'No' }, only('"other"'));
  expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
