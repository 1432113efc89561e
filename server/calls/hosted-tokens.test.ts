import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { createLink } from '#domain/links/contract.ts';
import { openRoom, updateRoom } from '#domain/rooms/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { moreHolders } from '#server/testing/hosted-holders.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf } from '#server/testing/waiting-guest.ts';
import { repeatEjections, sendEverybodyOut } from './hosted-removal.ts';

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

const newestToken = () => daily.tokensAsked.at(-1) ?? { user_id: '', is_owner: false };
const stored = async (id: string) => {
  const { rows } = await app.owner.query<{ ends: number; marked: boolean }>(
    `select extract(epoch from expires_at)::float8 as ends, eject_ban is not null as marked
     from hosted_tokens where participant_id = $1`,
    [id],
  );
  return rows[0];
};
const ended = (id: string, secondsAgo: number) =>
  app.owner.query(
    'update hosted_tokens set expires_at = now() - make_interval(secs => $2) where participant_id = $1',
    [id, secondsAgo],
  );
/** A colleague who opened the room, and has no page of ours. */
async function colleagueAtDaily() {
  const ben = await newMember(app, ada, 'AGENT');
  const { panelToken } = await ben.call(openRoom, { params: { id: started.room.id } });
  return { ben, panelToken, id: newestToken().user_id };
}
const exchange = (token: string | undefined, name = 'Bo') =>
  new Visitor(app).send('POST', '/api/hosted-admissions', { token, name });
const demote = (ben: { user: { id: string } }) =>
  ada.call(changeRole, { params: { userId: ben.user.id }, body: { role: 'VIEWER' } });

test('R11A-4: the stored end of a token is the one that it was given, however late it was made', async () => {
  const { video } = app.services;
  const admit = video.admit;
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(video, 'admit').mockImplementation((visit, turn) => {
    vi.setSystemTime(Date.now() + 8_000);
    return admit(visit, turn);
  });
  const { id } = await colleagueAtDaily();
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(Math.floor((await stored(id))?.ends ?? 0)).toBe(newestToken().exp);
});

test.each([
  ['kept while the token may still admit by a late clock', 30, true],
  ['forgotten once it cannot', 90, false],
])('R11A-4: who was ejected without a ban is %s', async (_what, secondsAgo, isKept) => {
  const { ben, id } = await colleagueAtDaily();
  await ended(id, secondsAgo);
  await demote(ben);
  await vi.waitFor(() => expect(daily.ejections).toEqual([{ user_ids: [id], ban: false }]));
  await vi.waitFor(async () => expect((await stored(id))?.marked ?? false).toBe(false));
  expect((await stored(id)) !== undefined).toBe(isKept);
});

test('R11A-4: no token with fewer rights hides one of the same participant that still admits', async () => {
  const { ben, panelToken, id } = await colleagueAtDaily();
  await demote(ben);
  expect(await exchange(panelToken)).toMatchObject({
    status: 403,
    body: { code: 'token_refused' },
  });
  await ended(id, 90);
  expect((await exchange(panelToken)).status).toBe(201);
  expect(newestToken()).toMatchObject({ user_id: id, is_owner: false });

  const token = await guestTokenOf(app, ada, started.room.id);
  await exchange(token);
  await ada.call(updateRoom, { params: { id: started.room.id }, body: { lobby: true } });
  expect((await exchange(token)).status, 'a new one is asked for by the page').toBe(403);
  await exchange(await guestTokenOf(app, ada, started.room.id));
  expect(newestToken()).toMatchObject({ knocking: true });
});

test('R11B-7: who stays at Daily as long as Daily allows is found until the end of it', async () => {
  const { ben, id } = await colleagueAtDaily();
  const stay = Number(newestToken().eject_after_elapsed);
  await ended(id, 2 * stay);
  await ada.call(openRoom, { params: { id: started.room.id } });
  await ada.call(removeUser, { params: { id: ben.user.id } });
  await vi.waitFor(() => expect(daily.ejections[0]).toEqual({ user_ids: [id], ban: true }));
});

test('R11B-7: tokens are forgotten two days after their end', async () => {
  const { id } = await colleagueAtDaily();
  await ended(id, 49 * 3600);
  await ada.call(openRoom, { params: { id: started.room.id } });
  expect(await stored(id)).toBe(undefined);
});

test('R11B-6: an ejection of many people is sent, and confirmed, a hundred at a time', async () => {
  const { id } = await colleagueAtDaily();
  await moreHolders(app, id, 149);
  const { video } = app.services;
  const remove = vi.fn(async (_room: object, people: string[]) => {
    if (people.length < 100) throw new Error('no answer');
  });
  const page = video.page && { ...video.page, remove };
  const org = orgId.parse(ada.user.orgId);
  const room = { orgId: org, roomId: started.room.id };
  sendEverybodyOut({ ...app.services, video: { ...video, page } }, room, started.call.id);
  await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(2));
  const [, [, rest] = []] = remove.mock.calls;
  const { rows } = await app.owner.query(
    'select participant_id as id from hosted_tokens where org_id = $1 and eject_ban is not null',
    [org],
  );
  expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(rest ?? []));
  expect(rows).toHaveLength(rest?.length ?? 0);

  await app.owner.query('update hosted_tokens set eject_ban = true where org_id = $1', [org]);
  daily.asked.length = 0;
  await repeatEjections(app.services);
  const sizes = daily.asked
    .filter(({ path }) => path.includes(org))
    .map(({ body }) => (body as { user_ids: string[] }).user_ids.length);
  expect(sizes.toSorted((a, b) => b - a)).toEqual([100, 51]);
});

test('R11B: a link for one guest admits one guest to a hosted page', async () => {
  const { url } = await ada.call(createLink, {
    params: { id: started.room.id },
    body: { name: 'Bo', singleUse: true },
  });
  const follow = async () => {
    const { body } = await new Visitor(app).send('GET', `/api/join/${url.split('/').at(-1)}`);
    return (body as { meetingToken: string }).meetingToken;
  };
  const [bo, cy] = [await follow(), await follow()];
  expect((await exchange(bo)).status).toBe(201);
  expect(await exchange(cy, 'Cy')).toMatchObject({ status: 403, body: { code: 'token_refused' } });
  expect((await exchange(bo)).status, 'again').toBe(201);
});

test('R24-A2: erasing a guest takes the name out of their token of a hosted page', async () => {
  const { id } = await colleagueAtDaily();
  await app.owner.query(
    `update hosted_tokens set account_id = null, session_id = null, guest_link_id = gen_random_uuid(),
       claims = claims || '{"kind": "guest", "name": "Marsh"}' where participant_id = $1`,
    [id],
  );
  const reply = await ada.send('POST', '/api/privacy/erase', { guest: 'marsh' });
  expect(reply).toMatchObject({ status: 200, body: { erased: 1 } });
  const { rows } = await app.owner.query(
    'select claims from hosted_tokens where participant_id = $1',
    [id],
  );
  expect(rows[0].claims).not.toHaveProperty('name');
  expect(rows[0].claims).toHaveProperty('participantId', id);
});
