import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { startCall } from '#domain/calls/contract.ts';
import {
  changeGuestAccess,
  changeWaitingText,
  readGuestAccess,
  readWaitingText,
} from '#domain/links/contract.ts';
import { createRoom, readGuestLink } from '#domain/rooms/contract.ts';
import type { OpeningHours } from '#domain/rooms/opening-hours.ts';
import { enter, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';
import { bothOn, guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let params: { id: string };
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  params = { id: (await ada.call(createRoom, { body: { topic: 'Review, part 2' } })).id };
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => app.close());

const day = [{ from: '09:00', to: '17:00' }];
const hours: OpeningHours = {
  timeZone: 'Europe/Berlin',
  week: [day, day, day, day, day, [], []],
  closedDays: [],
};
/** Wednesday, 25 November 2026, in Berlin. */
const atNoon = '2026-11-25T11:00:00Z';
const atNight = '2026-11-25T21:00:00Z';
const clockSays = (iso: string) => vi.useFakeTimers({ now: new Date(iso), toFake: ['Date'] });
const set = (body: object) => ada.call(changeGuestAccess, { params, body });
const guestToken = () => guestTokenOf(app, ada, params.id);
async function linkToken(): Promise<string> {
  const { url: link } = await ada.call(readGuestLink, { params });
  return link.split('/').at(-1) ?? '';
}
const ask = (path: string) => new Visitor(app).send('GET', path);

test('hours can be set, read and removed, and the audit log names the field', async () => {
  expect(await ada.call(readGuestAccess, { params })).toEqual({
    openingHours: null,
    waitingText: null,
    organizationWaitingText: null,
  });
  const changed = { openingHours: hours, waitingText: null, organizationWaitingText: null };
  expect(await set({ openingHours: hours })).toEqual(changed);
  expect(await set({ openingHours: hours })).toEqual(changed);
  expect(await ada.call(readGuestAccess, { params })).toEqual(changed);
  expect(await set({ openingHours: null })).toMatchObject({ openingHours: null });
  const { rows } = await app.owner.query(
    `select metadata from audit_events where entity_id = $1 and action = 'ROOM_UPDATED'`,
    [params.id],
  );
  expect(rows.map(({ metadata }) => metadata)).toEqual([
    { fields: ['openingHours'] },
    { fields: ['openingHours'] },
  ]);
});

test('outside the hours a link yields no token, and reports the next opening', async () => {
  await set({ openingHours: hours });
  const token = await linkToken();
  clockSays(atNight);
  expect(await ask(`/api/join/${token}`)).toMatchObject({
    status: 409,
    body: { code: 'room_closed_now' },
  });
  expect(await ask(`/api/join/${token}/opening`)).toMatchObject({
    status: 200,
    body: {
      isOpen: false,
      room: { topic: 'Review, part 2' },
      opensAt: '2026-11-26T08:00:00.000Z',
      closesAt: '2026-11-26T16:00:00.000Z',
      now: '2026-11-25T21:00:00.000Z',
    },
  });
  clockSays(atNoon);
  expect(await ask(`/api/join/${token}`)).toMatchObject({ status: 200 });
  expect(await ask(`/api/join/${token}/opening`)).toMatchObject({
    body: { isOpen: true, opensAt: null, closesAt: '2026-11-25T16:00:00.000Z' },
  });
});

test('the next opening is available as a calendar file', async () => {
  await set({ openingHours: hours });
  const token = await linkToken();
  clockSays(atNight);
  const { status, body, headers } = await ask(`/join/${token}/opening.ics`);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
  expect(body).toContain('DTSTART:20261126T080000Z\r\nDTEND:20261126T160000Z\r\n');
  expect(body).toContain('SUMMARY:Review\\, part 2 · ');
  expect(String(body).replaceAll('\r\n ', '')).toContain(
    `URL;VALUE=URI:https://calls.example.com/join/${token}`,
  );
  clockSays(atNoon);
  expect(await ask(`/join/${token}/opening.ics`)).toMatchObject({ status: 404 });
});

const neverOpen = `'{"timeZone": "UTC", "week": [[],[],[],[],[],[],[]], "closedDays": []}'`;
/** Simulates closing time, without moving anyone. */
const close = () =>
  app.owner.query(
    `insert into room_opening_hours (room_id, org_id, hours) values ($1, $2, ${neverOpen})`,
    [params.id, ada.user.orgId],
  );

test('closing time refuses a guest at hello, one in the preview and one in the lobby', async () => {
  const atHello = await guestToken();
  const preview = await hello(url, await guestToken());
  await preview.until('waiting');
  const { id } = await ada.call(createRoom, { body: { topic: 'Held', lobby: true } });
  const held = await hello(url, await guestTokenOf(app, ada, id), 'Bo');
  await held.until('waiting', ({ since }) => since !== null);
  await close();
  await app.owner.query(
    `insert into room_opening_hours (room_id, org_id, hours) values ($1, $2, ${neverOpen})`,
    [id, ada.user.orgId],
  );
  expect(await refusedHello(url, { token: atHello, media: bothOn })).toBe(closeCodes.roomClosed);
  preview.send({ type: 'join', name: 'Bo', media: bothOn });
  expect(await preview.closed).toBe(closeCodes.roomClosed);
  await ada.call(changeGuestAccess, { params: { id }, body: { waitingText: 'Moment' } });
  expect(await held.closed).toBe(closeCodes.roomClosed);
  await enter(url, await staffTokenOf(ada, params.id));
});

test('closing time never ends a running call: participants stay, and return after a reload', async () => {
  await ada.call(startCall, { body: { roomId: params.id } });
  const bo = await enter(url, await guestToken(), { name: 'Bo' });
  const isKnown = async () =>
    (await app.owner.query('select 1 from attendances where id = $1', [bo.id])).rowCount;
  await vi.waitFor(async () => expect(await isKnown()).toBe(1));
  await close();
  expect((await bo.settled()).socket.readyState).toBe(bo.socket.OPEN);
  await bo.drop();
  await enter(url, bo.welcome.token, { name: 'Bo' });
});

test('waiting guests read the room’s text, or else the organization’s, as plain text', async () => {
  const orgId = ada.user.orgId ?? '';
  const { id } = await ada.call(createRoom, { body: { topic: 'Held', lobby: true } });
  const text = async () => {
    const page = await hello(url, await guestTokenOf(app, ada, id), 'Bo');
    return (await page.until('waiting', ({ since }) => since !== null)).text;
  };
  expect(await text()).toBe(undefined);
  const body = { waitingText: ' We are with you <b>soon</b>.\nTwo minutes. ' };
  await ada.call(changeWaitingText, { params: { orgId }, body });
  expect(await ada.call(readWaitingText, { params: { orgId } })).toEqual({
    waitingText: 'We are with you <b>soon</b>.\nTwo minutes.',
  });
  expect(await text(), 'attack 29: kept as it is, shown as text').toBe(
    'We are with you <b>soon</b>.\nTwo minutes.',
  );
  await ada.call(changeGuestAccess, { params: { id }, body: { waitingText: 'Ada is coming' } });
  expect(await text()).toBe('Ada is coming');
  await ada.call(changeGuestAccess, { params: { id }, body: { waitingText: '  ' } });
  expect(await text()).toMatch(/^We are/);
});

test('a waiting text has 500 characters at most, and only admins set the organization’s', async () => {
  const orgId = ada.user.orgId ?? '';
  const path = `/api/organizations/${orgId}/waiting-text`;
  expect(await ada.send('PUT', path, { waitingText: 'x'.repeat(501) })).toMatchObject({
    status: 400,
    body: { message: 'Please use at most 500 characters' },
  });
  const agent = await newMember(app, ada, 'AGENT');
  expect(await agent.send('PUT', path, { waitingText: 'x' })).toMatchObject({ status: 403 });
});
