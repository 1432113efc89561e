import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { readCall } from '#domain/calls/contract.ts';
import { openRoom, readGuestLink } from '#domain/rooms/contract.ts';
import { enter, LiveClient, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const tokenOf = async (visitor: Visitor) =>
  (await visitor.call(openRoom, { params: { id: started.room.id } })).meetingToken;
async function guestToken(): Promise<string> {
  const link = await ada.call(readGuestLink, { params: { id: started.room.id } });
  const { body } = await new Visitor(app).send('GET', `/api/join/${link.url.split('/').at(-1)}`);
  return (body as { meetingToken: string }).meetingToken;
}

test('a muted participant receives the name of the host who muted them', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  adas.send({ type: 'mute', to: cleo.id });
  const { by } = await cleo.until('muted');
  expect(by).toBe(`${ada.user.firstName} ${ada.user.lastName}`);
  expect(adas.all('muted')).toEqual([]);
});

test('a removed guest leaves immediately, cannot return, and disappears from the roster', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const token = await guestToken();
  const cleo = await enter(url, token, { name: 'Cleo' });
  await adas.until('joined');
  adas.send({ type: 'remove', to: cleo.id });
  expect(await cleo.closed).toBe(closeCodes.removed);
  await adas.until('left', ({ participantId }) => participantId === cleo.id);
  expect(await refusedHello(url, { token })).toBe(closeCodes.removed);
  expect(await refusedHello(url, { token: cleo.welcome.token })).toBe(closeCodes.removed);
  await vi.waitFor(async () => {
    const { attendances } = await ada.call(readCall, { params: { id: started.call.id } });
    expect(attendances.find(({ name }) => name === 'Cleo')?.leftAt).toEqual(expect.any(String));
  });
});

test('R25-A1: a removed guest leaves even if the message to the room is lost', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  await adas.until('joined');
  const lost = vi.spyOn(app.services.bus, 'publish').mockImplementation(() => undefined);
  try {
    adas.send({ type: 'remove', to: cleo.id });
    expect(await cleo.closed).toBe(closeCodes.removed);
    expect(lost).toHaveBeenCalled();
  } finally {
    lost.mockRestore();
  }
});

test('a locked call admits no newcomer, by link or preview, but participants may return', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const inside = await enter(url, await guestToken(), { name: 'Cleo' });
  const waiting = await LiveClient.open(url);
  waiting.send({ type: 'hello', protocol: 1, channel: 'meeting', token: await guestToken() });
  await waiting.until('waiting');
  adas.send({ type: 'lock', locked: true });
  await inside.until('call-changed', ({ call }) => call.locked === true);
  expect(await refusedHello(url, { token: await guestToken() })).toBe(closeCodes.locked);
  waiting.send({ type: 'join', name: 'Dan', media: { audio: true, video: true } });
  expect(await waiting.closed).toBe(closeCodes.locked);
  await inside.drop();
  const back = await enter(url, inside.welcome.token, { name: 'Cleo' });
  expect(back.welcome.call?.locked).toBe(true);
  await enter(url, await tokenOf(await newMember(app, ada, 'AGENT')));

  adas.send({ type: 'lock', locked: false });
  await back.until('call-changed', ({ call }) => call.locked === false);
  await enter(url, await guestToken(), { name: 'Eve' });
});

test('guests and viewers cannot use host messages, and staff cannot be removed', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const viewer = await enter(url, await tokenOf(await newMember(app, ada, 'VIEWER')));
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  for (const person of [viewer, cleo]) {
    person.send({ type: 'remove', to: adas.id });
    expect(await person.until('refused')).toMatchObject({ code: 'forbidden' });
    person.send({ type: 'lock', locked: true });
    person.send({ type: 'mute', to: adas.id });
    await person.settled();
    expect(person.all('refused').length).toBe(3);
  }
  adas.send({ type: 'remove', to: viewer.id });
  expect(await adas.until('refused')).toMatchObject({ code: 'no_guest' });
  expect(adas.all('muted')).toEqual([]);
});

test('lock and removal are in the audit log', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  adas.send({ type: 'lock', locked: true });
  adas.send({ type: 'lock', locked: true });
  adas.send({ type: 'remove', to: cleo.id });
  await cleo.closed;
  const { rows } = await app.owner.query(
    'select action from audit_events where org_id = $1 order by id desc limit 2',
    [ada.user.orgId],
  );
  expect(rows.map(({ action }) => action)).toEqual(['GUEST_REMOVED', 'CALL_LOCKED']);
});
