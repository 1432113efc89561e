import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { changeRoomCapture } from '#domain/consent/contract.ts';
import { openRoom, updateRoom } from '#domain/rooms/contract.ts';
import type { Database } from '#server/platform/database.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { enter, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recordingOf } from '#server/testing/recorded-call.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf, hello } from '#server/testing/waiting-guest.ts';

let daily: DailyStandIn;
let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;

beforeAll(async () => {
  daily = await new DailyStandIn().open();
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com', ...daily.settings });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  daily.asked.length = 0;
});
afterAll(async () => {
  await app.close();
  await daily.close();
});

const exchange = (token: string, name = 'Bo') =>
  new Visitor(app).send('POST', '/api/hosted-admissions', { token, name });

test('staff get the address and token of Daily’s page, and a meeting token for the WebSocket', async () => {
  const { room } = await runningCall(ada);
  expect(room.dailyUrl).toBe(`${daily.url}/${ada.user.orgId}_${room.id}`);
  expect(daily.tokens.has(room.meetingToken)).toBe(true);
  const panel = await enterPanel(url, room.panelToken ?? '');
  expect(daily.tokensAsked).toEqual([
    expect.objectContaining({
      room_name: `${ada.user.orgId}_${room.id}`,
      user_id: panel.id,
      user_name: `${ada.user.firstName} ${ada.user.lastName}`,
      is_owner: true,
    }),
  ]);
  const meeting = await enter(url, room.panelToken ?? '');
  expect(meeting.id, 'in the meeting the same person').toBe(panel.id);
});

test('nothing starts to be captured on Daily’s page, which neither asks nor records', async () => {
  const { room, call } = await runningCall(ada);
  const params = { id: room.id };
  await ada.call(changeRoomCapture, { params, body: { recording: 'start' } });
  const panel = await enterPanel(url, room.panelToken ?? '');
  expect(panel.welcome).not.toHaveProperty('capturable');
  expect(panel.welcome).not.toHaveProperty('asks');
  await panel.settled();
  expect((await recordingOf(ada, call.id)).state).toBe('none');
});

test('a VIEWER has no owner rights in Daily’s room', async () => {
  const { room } = await runningCall(ada);
  const vera = await newMember(app, ada, 'VIEWER');
  await vera.call(openRoom, { params: { id: room.id } });
  expect(daily.tokensAsked.at(-1)).toMatchObject({ is_owner: false });
});

test('a guest gets Daily’s token only once the name is known, and it has that name', async () => {
  const { room } = await runningCall(ada);
  daily.asked.length = 0;
  const token = await guestTokenOf(app, ada, room.id);
  expect(daily.asked, 'the link alone asks Daily for nothing').toEqual([]);
  const { status, body } = await exchange(token, '  Bo ');
  expect(status).toBe(201);
  expect(body).toEqual({ dailyUrl: room.dailyUrl, meetingToken: expect.any(String) });
  expect(daily.tokensAsked).toEqual([
    expect.objectContaining({ user_name: 'Bo', is_owner: false, user_id: expect.any(String) }),
  ]);
  expect((await exchange(token, ' ')).body).toMatchObject({ message: 'Please enter your name' });
});

test('in a room with a lobby the guest waits in Daily’s lobby, not also in ours', async () => {
  const { room } = await runningCall(ada);
  await ada.call(updateRoom, { params: { id: room.id }, body: { lobby: true } });
  const token = await guestTokenOf(app, ada, room.id);
  await exchange(token);
  expect(daily.tokensAsked.at(-1)).toMatchObject({ knocking: true });
  const bo = await enter(url, token, { name: 'Bo' });
  expect(bo.all('waiting')).toEqual([]);
});

test('a hosted call may exceed the mesh limit, because the provider sets its own', async () => {
  const { room } = await runningCall(ada);
  for (const name of ['Bo', 'Cy', 'Di', 'Ed', 'Flo']) {
    await enter(url, await guestTokenOf(app, ada, room.id), { name });
  }
});

test('attack 28: a removed guest is ejected from Daily’s room, banned, and gets no new token', async () => {
  const { room } = await runningCall(ada);
  const adas = await enter(url, room.panelToken ?? '');
  const token = await guestTokenOf(app, ada, room.id);
  const bo = await enter(url, token, { name: 'Bo' });
  adas.send({ type: 'remove', to: bo.id });
  await bo.closed;
  await vi.waitFor(() => expect(daily.ejections.length).toBeGreaterThan(0));
  expect(await exchange(token)).toMatchObject({ status: 403, body: { code: 'removed' } });
  // Each process that hears of the removal asks for the same, this one, too.
  for (const ejection of daily.ejections) {
    expect(ejection).toEqual({ user_ids: [bo.id], ban: true });
  }
});

test('attack 28: a locked call, a forged or a foreign token yields no Daily token', async () => {
  const { room } = await runningCall(ada);
  const adas = await enter(url, room.panelToken ?? '');
  adas.send({ type: 'lock', locked: true });
  await adas.until('call-changed', ({ call }) => call.locked === true);
  const token = await guestTokenOf(app, ada, room.id);
  expect(await exchange(token)).toMatchObject({ status: 403, body: { code: 'call_locked' } });
  expect(await exchange(room.meetingToken)).toMatchObject({
    status: 403,
    body: { code: 'token_refused' },
  });
  expect(daily.tokensAsked.filter(({ user_name }) => user_name === 'Bo')).toEqual([]);
});

test('“End for everyone” ejects all participants from Daily’s room', async () => {
  const { room, call } = await runningCall(ada);
  const adas = await enter(url, room.panelToken ?? '');
  const bo = await enter(url, await guestTokenOf(app, ada, room.id), { name: 'Bo' });
  await vi.waitFor(async () => {
    const { body } = await ada.send('GET', `/api/calls/${call.id}`);
    expect(body).toMatchObject({ participantsJson: [{}, {}] });
  });
  await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
  await vi.waitFor(() => expect(daily.ejections).toHaveLength(1));
  expect(daily.ejections[0]).toEqual({
    user_ids: expect.arrayContaining([adas.id, bo.id]),
    ban: false,
  });
});

test('while Daily does not answer, the room does not open, and the page is asked to retry', async () => {
  const { room, call } = await runningCall(ada);
  await ada.call(updateCall, { params: { id: call.id }, body: { notesSnapshot: 'kept' } });
  const broken = {
    status: 503,
    body: { error: 'server-error', info: '' },
    headers: { 'retry-after': '60' },
  };
  daily.next.push(broken, broken);
  expect(await ada.send('GET', `/api/rooms/${room.id}`)).toMatchObject({
    status: 503,
    body: { code: 'no_video', message: expect.stringContaining('try again') },
  });
  expect((await ada.send('GET', `/api/calls/${call.id}`)).body).toMatchObject({
    notesSnapshot: 'kept',
  });
  expect((await ada.send('GET', `/api/rooms/${room.id}`)).status).toBe(200);
});

test('browsers may frame only Daily’s origin and our own; without Daily only our own', async () => {
  const frames = async (of: TestApp) => {
    const { headers } = await new Visitor(of).send('GET', '/healthz');
    return String(headers['content-security-policy']).match(/frame-src ([^;]+)/)?.[1];
  };
  expect(await frames(app)).toBe(`'self' ${daily.url}`);
  const own = await openTestApp({ DAILY_URL: 'https://example.daily.co' });
  try {
    expect(await frames(own)).toBe("'self'");
    expect(
      (await new Visitor(own).send('POST', '/api/hosted-admissions', { token: 'x', name: 'Bo' }))
        .status,
    ).toBe(404);
  } finally {
    await own.close();
  }
});

test('a guest whose page is admitted as the call ends learns that it has ended', async () => {
  const { room, call } = await runningCall(ada);
  const token = await guestTokenOf(app, ada, room.id);
  const { database } = app.services;
  const { connection } = database;
  const [read, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held: Database['connection'] = (tenant, use) =>
    connection(tenant, async (its) => {
      let isAdmission = false;
      const result = await use({
        ...its,
        run: (statement, values) => {
          isAdmission ||= statement.name === 'admission';
          return its.run(statement, values);
        },
      });
      if (!isAdmission) return result;
      read.resolve();
      await ended.promise;
      return result;
    });
  const spy = vi.spyOn(database, 'connection').mockImplementation(held);
  const page = await hello(url, token);
  await read.promise;
  spy.mockRestore();
  await ada.call(updateCall, {
    params: { id: call.id },
    body: { endedAt: new Date().toISOString() },
  });
  ended.resolve();
  expect(await page.closed).toBe(closeCodes.callEnded);
});
