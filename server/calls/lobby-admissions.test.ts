import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { roleMay, roles } from '#domain/auth/permissions.ts';
import { startCall } from '#domain/calls/contract.ts';
import { createRoom, updateRoom } from '#domain/rooms/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { admittedGuest, firstAnswer, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: Awaited<ReturnType<typeof newMember>>;
let id: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  ben = await newMember(app, ada, 'AGENT');
  id = (await ada.call(createRoom, { body: { topic: 'Review', lobby: true } })).id;
});
afterAll(() => app.close());

/** A guest whom Ben admits, and who does not enter. Returns the guest's token. */
const admittedByBen = () => admittedGuest({ app, url }, { admin: ada, host: ben }, id);
/** Returns how a hello of this guest is answered: with the room, or with the lobby. */
const answerTo = async (token: string) => firstAnswer(await hello(url, token, 'Cleo'));

test('an admission holds for a page that enters later', async () => {
  expect(await answerTo(await admittedByBen())).toBe('welcome');
});

test.each([
  ['was removed', async () => ada.call(removeUser, { params: { id: ben.user.id } })],
  [
    'may run no calls any more',
    async () => ada.call(changeRole, { params: { userId: ben.user.id }, body: { role: 'VIEWER' } }),
  ],
])('F1: an admission ends when whoever gave it %s', async (_what, end) => {
  const token = await admittedByBen();
  await end();
  await ada.call(startCall, { body: { roomId: id } });
  expect(await answerTo(token)).toBe('waiting');
});

test('G13: an admission stays ended when whoever gave it may run calls again', async () => {
  const token = await admittedByBen();
  for (const role of ['VIEWER', 'AGENT'] as const) {
    await ada.call(changeRole, { params: { userId: ben.user.id }, body: { role } });
  }
  expect(await answerTo(token)).toBe('waiting');
});

test('an admission holds when whoever gave it gets another role that may run calls', async () => {
  const token = await admittedByBen();
  await ada.call(changeRole, { params: { userId: ben.user.id }, body: { role: 'ORGADMIN' } });
  expect(await answerTo(token)).toBe('welcome');
});

test('the database and the application agree on which role may run calls', async () => {
  for (const role of roles) {
    const { rows } = await app.owner.query('select may_run_calls($1) as may', [role]);
    expect([role, rows[0]]).toEqual([role, { may: roleMay(role, 'calls.update') }]);
  }
});

test('F1: switching the lobby on ends earlier admissions', async () => {
  const token = await admittedByBen();
  for (const lobby of [false, true]) {
    await ada.call(updateRoom, { params: { id }, body: { lobby } });
  }
  expect(await answerTo(token)).toBe('waiting');
});

test('F1: a guest whose admission has ended can be admitted again', async () => {
  const token = await admittedByBen();
  await ada.call(removeUser, { params: { id: ben.user.id } });
  const guest = await hello(url, token, 'Cleo');
  await guest.until('waiting', ({ since }) => since !== null);
  const host = await enter(url, await staffTokenOf(ada, id));
  host.send({ type: 'admit', guests: [String(decodeJwt(token).participantId)] });
  await guest.until('let-in');
  expect(await answerTo(token)).toBe('welcome');
});

test('R29-A5: an admission ends with the call that follows it, or that ran when it was given', async () => {
  const [early, token] = [await admittedByBen(), await admittedByBen()];
  const start = () => ada.call(startCall, { body: { roomId: id } });
  const end = (call: string) => ada.send('PUT', `/api/calls/${call}`, { endForEveryone: true });
  const first = await start();
  expect(await answerTo(early)).toBe('welcome');
  const during = await admittedByBen();
  await end(first.id);
  await start();
  expect([await answerTo(token), await answerTo(during)]).toEqual(['waiting', 'waiting']);
});
