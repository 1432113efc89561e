import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRoom, readGuestLink, renewGuestLink } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let params: { id: string };
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
beforeEach(async () => {
  ada = await newOrganization(app);
  params = { id: (await runningCall(ada)).room.id };
});
afterAll(() => app.close());

const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1) ?? '';
const follow = (token: string) => new Visitor(app).send('GET', `/api/join/${token}`);

test('copying the link repeatedly yields the same one', async () => {
  const link = await ada.call(readGuestLink, { params });
  expect(link.url).toMatch(/^https:\/\/calls\.example\.com\/join\/[\w-]{64}$/);
  expect(await ada.call(readGuestLink, { params })).toEqual(link);
});

test('ten concurrent first requests all get the same link', async () => {
  const { id } = await ada.call(createRoom, { body: { topic: 'Fresh' } });
  const links = await Promise.all(
    Array.from({ length: 10 }, () => ada.call(readGuestLink, { params: { id } })),
  );
  expect(new Set(links.map((link) => link.url)).size).toBe(1);
});

test('the link leads a customer without an account to the room, with a token for that room', async () => {
  const { status, body } = await follow(tokenOf(await ada.call(readGuestLink, { params })));
  expect(status).toBe(200);
  expect(body).toEqual({
    organization: {
      name: `${ada.user.firstName} ${ada.user.lastName}'s team`,
      brandColor: '#2563eb',
      logoUrl: null,
    },
    room: { id: params.id, topic: 'Kick-off' },
    dailyUrl: `https://calls.example.com/meet/${params.id}`,
    meetingToken: expect.any(String),
  });
  const claims = decodeJwt((body as { meetingToken: string }).meetingToken);
  expect(claims).toMatchObject({ kind: 'guest', roomId: params.id });
  expect(claims).not.toHaveProperty('accountId');
});

test('two people who follow one link are two guests', async () => {
  const token = tokenOf(await ada.call(readGuestLink, { params }));
  const ids = await Promise.all(
    [1, 2].map(async () => {
      const { body } = await follow(token);
      return decodeJwt((body as { meetingToken: string }).meetingToken).participantId;
    }),
  );
  expect(ids[0]).not.toBe(ids[1]);
});

test('renewing creates a new link, and the old one reports that it was replaced', async () => {
  const old = await ada.call(readGuestLink, { params });
  const renewed = await ada.call(renewGuestLink, { params });
  expect(renewed.url).not.toBe(old.url);
  expect(await ada.call(readGuestLink, { params })).toEqual(renewed);
  expect(await follow(tokenOf(old))).toMatchObject({
    status: 410,
    body: {
      code: 'guest_link_renewed',
      message: 'This link has been replaced. Ask your host for the new one.',
    },
  });
  expect(await follow(tokenOf(renewed))).toMatchObject({ status: 200 });
});

test('ten concurrent renewals all succeed, and one link remains', async () => {
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => ada.send('POST', `/api/rooms/${params.id}/guest-link`)),
  );
  expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(201));
  const { rows } = await app.owner.query(
    'select count(*)::int as n from guest_links where room_id = $1 and revoked_at is null',
    [params.id],
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test('a forged link leads nowhere', async () => {
  const token = tokenOf(await ada.call(readGuestLink, { params }));
  const swapped = (at: number) => {
    const bytes = Buffer.from(token, 'base64url');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes.toString('base64url');
  };
  const eve = await newOrganization(app);
  const evesRoom = (await runningCall(eve)).room.id;
  const eves = Buffer.from(
    tokenOf(await eve.call(readGuestLink, { params: { id: evesRoom } })),
    'base64url',
  );
  const crossed = Buffer.concat([
    eves.subarray(0, 16),
    Buffer.from(token, 'base64url').subarray(16),
  ]).toString('base64url');
  for (const forged of [
    swapped(0),
    swapped(20),
    swapped(40),
    crossed,
    token.slice(1),
    'x',
    '%20',
  ]) {
    expect(await follow(forged)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

test('R6-10: a link with text before or after its token leads nowhere', async () => {
  const token = tokenOf(await ada.call(readGuestLink, { params }));
  const variants = ['=', '==\r\nX:y', '%', ' ', '='.repeat(4)].map((end) => `${token}${end}`);
  for (const variant of [...variants, ` ${token}`]) {
    expect([variant, (await follow(encodeURIComponent(variant))).status]).toEqual([variant, 404]);
  }
});

test('the link of an archived room reports that the room is closed', async () => {
  const token = tokenOf(await ada.call(readGuestLink, { params }));
  await app.owner.query('update rooms set archived_at = now() where id = $1', [params.id]);
  expect(await follow(token)).toMatchObject({ status: 410, body: { code: 'room_archived' } });
});

test('a guest’s token gives no access to the API', async () => {
  const { body } = await follow(tokenOf(await ada.call(readGuestLink, { params })));
  const { meetingToken } = body as { meetingToken: string };
  for (const headers of [
    { authorization: `Bearer ${meetingToken}` },
    { cookie: `rapport_session=${meetingToken}` },
  ] as Record<string, string>[]) {
    expect(await new Visitor(app).send('GET', '/api/rooms', undefined, headers)).toMatchObject({
      status: 401,
    });
  }
});
