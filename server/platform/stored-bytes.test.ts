import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { type AccountId, accountId, orgId, participantId, roomId } from '#domain/ids.ts';
import { createLink } from '#domain/links/contract.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { archiveRoom, createRoom, openRoom, readGuestLink } from '#domain/rooms/contract.ts';
import { Directory, patchOf, userUrn } from '#server/testing/directory.ts';
import { enter, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { newId } from './ids.ts';
import { StoredBytes, storedBytes } from './stored-bytes.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  // Times 1,000, like all limits of tests: 200 KB a day, and 40 KB at once.
  app = await openTestApp({ ORGANIZATION_DAILY_MB: '0.0002' });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const org = () => orgId.parse(ada.user.orgId);
/** Payers of Ada's organization. */
const staff = () =>
  ({ orgId: org(), actor: { kind: 'system', name: 'a test', orgId: org() } }) as const;
const guests = () => {
  const ids = { roomId: roomId.parse(started.room.id), participantId: newId(participantId) };
  return { orgId: org(), actor: { kind: 'guest', orgId: org(), ...ids } } as const;
};
const member = (accountId: AccountId) => {
  const actor = { kind: 'user', orgId: org(), role: 'AGENT', accountId } as const;
  return { orgId: org(), actor };
};
const hasStoredTooMuch = (payer: Parameters<StoredBytes['spend']>[0] = staff()) =>
  storedBytes(app.services).spend(payer, 1_000_000);
const refused = { status: 429, body: { code: 'too_many_stored_bytes' } };
const playbook = { title: 'Long', checklistItems: [{ text: 'a'.repeat(500) }] };
const callPath = () => `/api/calls/${started.call.id}`;
const tokenOf = async () =>
  (await ada.call(openRoom, { params: { id: started.room.id } })).meetingToken;
async function guest() {
  const link = await ada.call(readGuestLink, { params: { id: started.room.id } });
  const { body } = await new Visitor(app).send('GET', `/api/join/${link.url.split('/').at(-1)}`);
  return enter(url, (body as { meetingToken: string }).meetingToken, { name: 'Cleo' });
}

test('R25-B8: an organization that stores too much is refused what adds text, and another is not', async () => {
  const bytes = [];
  for (let made = 0; made < 200; made += 1) {
    const answer = await ada.send('POST', createPlaybook.path, playbook);
    if (answer.status === 201) continue;
    expect(answer).toMatchObject(refused);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    bytes.push(made);
    break;
  }
  // Half of 40 KB at once, of which each takes 500 bytes and its body.
  expect(bytes[0]).toBeGreaterThan(8);
  expect(bytes[0]).toBeLessThan(20);

  const ben = await newOrganization(app);
  expect((await ben.send('POST', createPlaybook.path, playbook)).status).toBe(201);
});

test('R25-B8: copies of a playbook count with their length', async () => {
  const items = Array.from({ length: 60 }, () => ({ text: 'a'.repeat(100) }));
  const long = await ada.call(createPlaybook, { body: { title: 'Long', checklistItems: items } });
  const body = { topic: 'Again', playbookId: long.id };
  const rooms = [await ada.call(createRoom, { body }), await ada.call(createRoom, { body })];
  const [first, second] = rooms.map(({ id }) => ({ roomId: id }));
  expect((await ada.send('POST', '/api/calls', first)).status).toBe(201);
  expect(await ada.send('POST', '/api/calls', second)).toMatchObject(refused);
  // Who comes to a call that runs stores nothing.
  expect((await ada.send('POST', '/api/calls', first)).status).toBe(200);
});

test('R25-B8: notes are refused, and a call is ticked, rated, and ended all the same', async () => {
  hasStoredTooMuch();
  const put = (body: object) => ada.send('PUT', callPath(), body);
  expect(await put({ notesSnapshot: 'More' })).toMatchObject(refused);
  expect((await put({ npsScore: 9 })).status).toBe(200);
  const body = { endForEveryone: true };
  expect((await ada.call(updateCall, { params: { id: started.call.id }, body })).endedAt).not.toBe(
    null,
  );
});

test('R25-B8: messages that store are refused with their id, so that the page keeps them', async () => {
  const panel = await enterPanel(url, await tokenOf());
  const page = await enter(url, await tokenOf());
  hasStoredTooMuch();
  page.send({ type: 'chat', id: 'one', text: 'Hello' });
  expect(await page.until('refused')).toMatchObject({ id: 'one', code: 'too_many_stored_bytes' });
  const [item] = started.call.checklistItems;
  panel.send({ type: 'check', id: 'two', itemId: item?.id ?? '', checked: true });
  expect(await panel.until('refused')).toMatchObject({ id: 'two', code: 'too_many_stored_bytes' });
});

test('R25-B8: guests have an amount of their own', async () => {
  const cleo = await guest();
  hasStoredTooMuch(guests());
  cleo.send({ type: 'chat', id: 'one', text: 'Hello' });
  expect(await cleo.until('refused')).toMatchObject({ id: 'one', code: 'too_many_stored_bytes' });
  expect((await ada.send('POST', createPlaybook.path, playbook)).status).toBe(201);
});

test('R25-B8: one member uses no more than half, so that others store on', async () => {
  const ben = await newMember(app, ada, 'ORGADMIN');
  // Of 40 KB at once.
  storedBytes(app.services).spend(member(accountId.parse(ada.user.id)), 25_000);
  expect(await ada.send('POST', createPlaybook.path, playbook)).toMatchObject(refused);
  expect((await ben.send('POST', createPlaybook.path, playbook)).status).toBe(201);
});

test('R25-B8: what takes away is not refused', async () => {
  const { id } = started.room;
  const link = await ada.call(createLink, { params: { id }, body: { name: 'Links' } });
  hasStoredTooMuch();
  const statuses = [
    await ada.send('DELETE', `/api/guest-links/${link.id}`),
    await ada.send('PUT', `/api/rooms/${id}/guest-access`, { open: false }),
    await ada.send('PATCH', `/api/rooms/${id}`, { lobby: true }),
    await ada.send('DELETE', callPath()),
    await ada.send('PUT', archiveRoom.path.replace(':id', id)),
  ].map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toEqual([]);
  expect(await ada.send('POST', '/api/privacy/erase', { guest: 'Nobody' })).toMatchObject({
    status: 404,
  });
});

test('R25-B8: a directory may remove people, and adds none', async () => {
  const directory = await Directory.of(app, ada);
  const user = (userName: string) => ({ schemas: [userUrn], userName, active: true });
  const made = await directory.ask('POST', '/Users', user('grace@directory.example'));
  expect(made.status).toBe(201);
  hasStoredTooMuch();
  expect(await directory.ask('POST', '/Users', user('eve@directory.example'))).toMatchObject({
    status: 429,
  });
  const change = patchOf({ op: 'replace', value: { active: false } });
  expect((await directory.ask('PATCH', `/Users/${made.body.id}`, change)).status).toBe(200);
});

test('the amount comes back with the time, and the operator is told once an hour', () => {
  const tell = vi.fn();
  const stored = new StoredBytes(86_400_000, tell);
  const hour = 3_600_000;
  const payer = staff();
  // A fifth at once, and what comes too much is waited for: 1,000 bytes a second.
  stored.take(payer, 18_000_000, 0);
  const tryAt = (now: number) => {
    try {
      stored.require(payer, now);
      return 'stored';
    } catch (error) {
      return (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
  };
  expect([tryAt(0), tryAt(1_000), tryAt(722_000)]).toEqual([721, 720, 'stored']);
  stored.spend(payer, 50_000_000, 722_000);
  expect([tryAt(722_000), tryAt(722_000 + hour), tell.mock.calls.length]).toEqual([
    expect.any(Number),
    expect.any(Number),
    2,
  ]);
  expect(() => new StoredBytes(0, tell).take(payer, 1e15)).not.toThrow();
});

test('100 people who call for six hours a day use less than a tenth', () => {
  const day = 5_000 * 1_000_000;
  let used = 0;
  const counted = (times: number, bytes: number) => {
    used += 100 * times * (500 + bytes);
  };
  // Phrases of 80 characters, as searched texts; edits of notes; chat; ticks; calls with a playbook; other changes.
  counted(6 * 600, 4 * 80);
  counted(2_000, 100);
  counted(60, 4 * 200);
  counted(300, 0);
  counted(12, 5_000);
  counted(300, 1_000);
  expect(used).toBeLessThan(day / 10);
});
