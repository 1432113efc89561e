import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { startCall } from '#domain/calls/contract.ts';
import { createLink, listLinks, mostValidLinks, revokeLink } from '#domain/links/contract.ts';
import { createRoom, readGuestLink, renewGuestLink } from '#domain/rooms/contract.ts';
import { enter, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { bothOn, greet, hello } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let params: { id: string };
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  params = { id: (await ada.call(createRoom, { body: { topic: 'Review' } })).id };
});
afterAll(() => app.close());

const make = (more: object = {}) =>
  ada.call(createLink, { params, body: { name: 'For Acme', ...more } });
const follow = (link: { url: string }) =>
  new Visitor(app).send('GET', `/api/join/${link.url.split('/').at(-1)}`);
async function tokenOf(link: { url: string }): Promise<string> {
  const { body } = await follow(link);
  return (body as { meetingToken: string }).meetingToken;
}
const gone = (code: string, message: string) => ({ status: 410, body: { code, message } });
const used = gone(
  'guest_link_used',
  'This link was for one guest and has already been used. Ask your host for a new one.',
);
const expire = (id: string) =>
  app.owner.query(`update guest_links set expires_at = now() where id = $1`, [id]);

test('a room has several links, each with its name, creator, uses and expiry', async () => {
  const one = await make({ name: '  Acme  ' });
  const two = await make({ name: 'Globex', expiresInDays: 7, singleUse: true });
  expect(one).toMatchObject({
    name: 'Acme',
    state: 'valid',
    createdBy: { firstName: ada.user.firstName },
    expiresAt: null,
    singleUse: false,
    useCount: 0,
    revokedAt: null,
  });
  const days = (Date.parse(two.expiresAt ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThanOrEqual(7);
  expect(await ada.call(listLinks, { params })).toEqual([two, one]);
  for (const link of [one, two]) expect(await follow(link)).toMatchObject({ status: 200 });
});

test('the main link is separate: renewing it keeps the others, and it cannot be revoked here', async () => {
  const named = await make();
  const main = await ada.call(readGuestLink, { params });
  await ada.call(renewGuestLink, { params });
  expect(await follow(main)).toMatchObject({ status: 410, body: { code: 'guest_link_renewed' } });
  expect(await follow(named)).toMatchObject({ status: 200 });
  expect(await ada.call(listLinks, { params })).toMatchObject([{ id: named.id }]);
  const { rows } = await app.owner.query(
    'select id from guest_links where room_id = $1 and name is null and revoked_at is null',
    [params.id],
  );
  expect(await ada.send('DELETE', `/api/guest-links/${rows[0].id}`)).toMatchObject({ status: 404 });
});

test('a revoked link is refused by the page and the socket, and revoking twice changes nothing', async () => {
  const link = await make();
  const token = await tokenOf(link);
  const revoked = await ada.call(revokeLink, { params: { id: link.id } });
  expect(revoked).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) });
  expect(await ada.call(revokeLink, { params: { id: link.id } })).toEqual(revoked);
  expect(await follow(link)).toMatchObject(
    gone('guest_link_revoked', 'This link was revoked. Ask your host for a new one.'),
  );
  expect(await refusedHello(url, { token })).toBe(closeCodes.tokenRefused);
  const { rows } = await app.owner.query(
    `select action, metadata->>'roomId' as room from audit_events where entity_id = $1 order by id`,
    [link.id],
  );
  expect(rows).toEqual([
    { action: 'GUEST_LINK_CREATED', room: params.id },
    { action: 'GUEST_LINK_REVOKED', room: params.id },
  ]);
});

test('an expired link is refused, even if opened before, but participants stay and return', async () => {
  const link = await make({ expiresInDays: 1 });
  const [waiting, inside] = [await tokenOf(link), await tokenOf(link)];
  await ada.call(startCall, { body: { roomId: params.id } });
  const bo = await enter(url, inside, { name: 'Bo' });
  await expire(link.id);
  expect(await follow(link)).toMatchObject(
    gone('guest_link_expired', 'This link has expired. Ask your host for a new one.'),
  );
  expect(await refusedHello(url, { token: waiting })).toBe(closeCodes.tokenRefused);
  await bo.drop();
  await enter(url, bo.welcome.token, { name: 'Bo' });
  expect(await ada.call(listLinks, { params })).toMatchObject([{ state: 'expired' }]);
});

test('a link that expires while a guest is in the preview admits no one', async () => {
  const link = await make({ expiresInDays: 1 });
  const page = await hello(url, await tokenOf(link));
  await page.until('waiting');
  await expire(link.id);
  page.send({ type: 'join', name: 'Bo', media: bothOn });
  expect(await page.closed).toBe(closeCodes.tokenRefused);
});

test('a link for one guest is used up by joining, not by the preview; the guest may return', async () => {
  const link = await make({ singleUse: true });
  const [first, second] = [await tokenOf(link), await tokenOf(link)];
  const preview = await hello(url, first);
  await preview.until('waiting');
  expect(await follow(link), 'looked at, not used').toMatchObject({ status: 200 });
  greet(preview, first, 'Bo');
  await preview.until('welcome');
  expect(await follow(link)).toMatchObject(used);
  expect(await refusedHello(url, { token: second, media: bothOn })).toBe(closeCodes.tokenRefused);
  await preview.drop();
  await enter(url, first, { name: 'Bo' });
  expect(await ada.call(listLinks, { params })).toMatchObject([{ state: 'used', useCount: 1 }]);
});

test('of five who join concurrently by a link for one guest, one is admitted', async () => {
  const link = await make({ singleUse: true });
  const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => tokenOf(link)));
  const pages = await Promise.all(tokens.map((token) => hello(url, token, 'Bo')));
  const outcomes = await Promise.all(
    pages.map((page) => Promise.race([page.closed, page.until('welcome').catch(() => 'closed')])),
  );
  expect(outcomes.filter((one) => typeof one === 'object')).toHaveLength(1);
});

test('a link for many counts each guest once, across reloads', async () => {
  const link = await make();
  const [bo, cy] = [await tokenOf(link), await tokenOf(link)];
  const first = await enter(url, bo, { name: 'Bo' });
  await first.drop();
  await enter(url, bo, { name: 'Bo' });
  await enter(url, cy, { name: 'Cy' });
  await vi.waitFor(async () =>
    expect(await ada.call(listLinks, { params })).toMatchObject([{ useCount: 2 }]),
  );
});

test.each([
  [{ name: ' ' }, 'Please name the link'],
  [{ name: 'x'.repeat(81) }, 'Please use at most 80 characters'],
  [{ name: 'A', expiresInDays: 0 }, 'Please enter 1 to 365 days'],
  [{ name: 'A', expiresInDays: 1.5 }, 'Please enter 1 to 365 days'],
  [{ name: 'A', expiresAt: 'tomorrow' }, 'Please choose a date'],
  [{ name: 'A', expiresAt: '2020-01-01T00:00:00Z' }, 'Please choose a time in the future'],
  [
    { name: 'A', expiresAt: '2099-01-01T00:00:00Z', expiresInDays: 3 },
    'Please choose a date or a number of days, not both',
  ],
])('%j is refused: %s', async (body, message) => {
  expect(await ada.send('POST', `/api/rooms/${params.id}/guest-links`, body)).toMatchObject({
    status: 400,
    body: { message },
  });
});

test('a room has 50 valid links at most, and an ended one makes room', async () => {
  await app.owner.query(
    `insert into guest_links (id, org_id, room_id, name, created_at)
      select gen_random_uuid(), $1, $2, 'n', now() from generate_series(1, $3)`,
    [ada.user.orgId, params.id, mostValidLinks],
  );
  const path = `/api/rooms/${params.id}/guest-links`;
  expect(await ada.send('POST', path, { name: 'One more' })).toMatchObject({
    status: 409,
    body: { code: 'too_many_links' },
  });
  const [newest] = await ada.call(listLinks, { params });
  await ada.call(revokeLink, { params: { id: newest?.id ?? '' } });
  await make();
});
