import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startCall, updateCall } from '#domain/calls/contract.ts';
import type { OrgId } from '#domain/ids.ts';
import { createLink } from '#domain/links/contract.ts';
import { createRoom, openRoom, renewGuestLink } from '#domain/rooms/contract.ts';
import { changeRole, endUserSessions, removeUser } from '#domain/team/contract.ts';
import { deleteDueOrganizations } from '#server/privacy/delete-organization.ts';
import { hostedTurns } from '#server/rooms/hosted-turns.ts';
import { countAdmissions } from '#server/testing/count-admissions.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf } from '#server/testing/waiting-guest.ts';
import { repeatEjections } from './hosted-removal.ts';

let daily: DailyStandIn;
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  daily = await new DailyStandIn().open();
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com', ...daily.settings });
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
  daily.asked.length = 0;
});
afterAll(async () => {
  await app.close();
  await daily.close();
});

const text = (body: unknown) => JSON.stringify(body);
/** The participant of the token that was made last. */
const holder = () => daily.tokensAsked.at(-1) ?? { user_id: '', is_owner: false };
/** A colleague who opened the room, and has no page of ours. */
async function colleagueAtDaily() {
  const ben = await newMember(app, ada, 'AGENT');
  await ben.call(openRoom, { params: { id: started.room.id } });
  return { ben, id: holder().user_id };
}
/** A guest who got a token by the room's link, and has no page of ours. */
async function guestAtDaily(): Promise<string> {
  const token = await guestTokenOf(app, ada, started.room.id);
  const body = { token, name: 'Bo' };
  expect(await new Visitor(app).send('POST', '/api/hosted-admissions', body)).toMatchObject({
    status: 201,
  });
  return holder().user_id;
}
const expectEjected = (id: string, ban: boolean) =>
  // A removal ends the membership and the sessions, each of which ejects.
  vi.waitFor(() =>
    expect(new Set(daily.ejections.map(text))).toEqual(new Set([text({ user_ids: [id], ban })])),
  );

test('G3: a removed member is banned from Daily’s room, with or without a page of ours', async () => {
  const { ben, id } = await colleagueAtDaily();
  await ada.call(removeUser, { params: { id: ben.user.id } });
  await expectEjected(id, true);
});

test('G3: a colleague who is signed out everywhere is banned from Daily’s room', async () => {
  const { ben, id } = await colleagueAtDaily();
  await ada.call(endUserSessions, { params: { id: ben.user.id } });
  await expectEjected(id, true);
});

test('G3: a host who becomes VIEWER leaves Daily’s room, and returns without owner rights', async () => {
  const { ben, id } = await colleagueAtDaily();
  expect(holder().is_owner).toBe(true);
  await ada.call(changeRole, { params: { userId: ben.user.id }, body: { role: 'VIEWER' } });
  await expectEjected(id, false);
  await ben.call(openRoom, { params: { id: started.room.id } });
  expect(holder().is_owner).toBe(false);
});

test('G3: tokens of a guest link end with it', async () => {
  const id = await guestAtDaily();
  await ada.call(renewGuestLink, { params: { id: started.room.id } });
  await expectEjected(id, true);
});

test('G3: “End for everyone” ejects those without a page of ours, too', async () => {
  const id = await guestAtDaily();
  await ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });
  await vi.waitFor(() => expect(daily.ejections).toHaveLength(1));
  expect(daily.ejections[0]).toEqual({ user_ids: expect.arrayContaining([id]), ban: false });
});

test('R10-1: an ejection that Daily refuses is repeated until it is confirmed', async () => {
  const { ben, id } = await colleagueAtDaily();
  const refusal = { status: 429, body: { error: 'rate-limit-error', info: '' } };
  // Three attempts for each of the two revocations of a removal.
  daily.next.push(...Array(6).fill({ ...refusal, headers: { 'retry-after': '60' } }));
  await ada.call(removeUser, { params: { id: ben.user.id } });
  await vi.waitFor(() => expect(daily.ejections).toHaveLength(2));
  daily.next.length = 0;
  daily.asked.length = 0;
  expect(await repeatEjections(app.services)).toBe(1);
  expect(daily.ejections).toEqual([{ user_ids: [id], ban: true }]);
  expect(await repeatEjections(app.services)).toBe(0);
});

test('R10-1: all tokens of a session in a room are judged once, and ejected in one request', async () => {
  const { ben } = await colleagueAtDaily();
  for (let n = 0; n < 9; n += 1) await ben.call(openRoom, { params: { id: started.room.id } });
  const admissions = countAdmissions(app);
  await ada.call(endUserSessions, { params: { id: ben.user.id } });
  await vi.waitFor(() => expect(daily.ejections).toHaveLength(1));
  expect((daily.ejections[0] as { user_ids: string[] }).user_ids).toHaveLength(10);
  expect(admissions.count).toBe(1);
  vi.restoreAllMocks();
});

test('R10-1: an account has sixty tokens in five minutes', async () => {
  const ben = await newMember(app, ada, 'AGENT');
  const open = () => ben.send('GET', `/api/rooms/${started.room.id}`);
  await open();
  await app.owner.query(
    `insert into hosted_tokens (participant_id, org_id, room_id, claims, account_id, is_host, must_knock)
     select gen_random_uuid(), org_id, room_id, claims, account_id, is_host, must_knock
     from hosted_tokens, generate_series(1, 59) where account_id = $1`,
    [ben.user.id],
  );
  expect(await open()).toMatchObject({ status: 429, body: { code: 'too_many_openings' } });
  const { room } = await runningCall(ada);
  expect(room.id, 'another account').toBeTruthy();
});

test('R10-2: organizations take turns at a provider, and ejections have a share of their own', async () => {
  const asked = vi.fn(async () => ({ dailyUrl: '', meetingToken: '' }));
  const rate = { burst: 2, perSecond: 1 };
  const page = {
    remove: vi.fn(),
    mostEjected: 100,
    rates: { opening: rate, ejection: rate, recording: rate },
    recorder: null,
  };
  const video = {
    name: 'daily' as const,
    joins: 'webhook' as const,
    page,
    mediaServer: null,
    admit: asked,
  };
  const turns: string[] = [];
  const turn = (org: string, kind: 'opening' | 'ejection') =>
    hostedTurns(video, kind, org as OrgId)().then(() => turns.push(org));
  vi.useFakeTimers();
  const all = [
    ...Array.from({ length: 20 }, () => turn('acme', 'opening')),
    turn('navy', 'opening'),
    turn('navy ejects', 'ejection'),
  ];
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await Promise.all(all);
  expect(turns.slice(0, 5)).toEqual(['acme', 'acme', 'navy ejects', 'acme', 'navy']);
});

test('R32-A3: the deletion of an organization ejects everybody from its rooms, or is tried again', async () => {
  const [{ id: host }, guest] = [await colleagueAtDaily(), await guestAtDaily()];
  const { orgId } = ada.user;
  await app.owner.query(
    `insert into organization_deletions (org_id, requested_by, requested_at, due_at)
      values ($1, $2, now() - interval '8 days', now() - interval '1 minute')`,
    [orgId, ada.user.id],
  );
  const isThere = async () =>
    (await app.owner.query('select from organizations where id = $1', [orgId])).rowCount;
  daily.failing.add('eject');
  await deleteDueOrganizations(app.services);
  expect(await isThere()).toBe(1);
  daily.failing.clear();
  daily.asked.length = 0;
  await deleteDueOrganizations(app.services);
  for (const id of [host, guest]) expect(text(daily.ejections)).toContain(id);
  expect(await isThere()).toBe(0);
});

test('R31-B2: as a call starts, guests are sent out whose link has expired while they waited at Daily, and no others', async () => {
  const { id: roomId } = await ada.call(createRoom, { body: { topic: 'Review' } });
  const admit = async (name: string, token: string) => {
    await new Visitor(app).send('POST', '/api/hosted-admissions', { token, name });
    return holder().user_id;
  };
  const { url } = await ada.call(createLink, { params: { id: roomId }, body: { name: 'For Bo' } });
  const visit = await new Visitor(app).send('GET', `/api/join/${url.split('/').at(-1)}`);
  const bo = await admit('Bo', (visit.body as { meetingToken: string }).meetingToken);
  expect(await admit('Eve', await guestTokenOf(app, ada, roomId))).not.toBe(bo);
  await app.owner.query(
    `update guest_links set expires_at = now() where room_id = $1 and name = 'For Bo'`,
    [roomId],
  );
  // Eve is refused now, and may be let in later.
  const { orgId } = ada.user;
  const week = Array.from({ length: 7 }, (_, weekday) =>
    weekday === (new Date().getUTCDay() + 2) % 7 ? [{ from: '09:00', to: '17:00' }] : [],
  );
  await app.owner.query(
    'insert into room_opening_hours (org_id, room_id, hours) values ($1, $2, $3)',
    [orgId, roomId, JSON.stringify({ timeZone: 'UTC', week, closedDays: [] })],
  );
  await ada.call(startCall, { body: { roomId } });
  await expectEjected(bo, true);
});
