import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readPersonalRoom, renamePersonalRoom } from '#domain/links/contract.ts';
import { slugFrom } from '#domain/links/slug.ts';
import { listRooms, openRoom, renewGuestLink } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { personalRoomLink } from './personal-room-link.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let agent: typeof ada;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  agent = await newMember(app, ada, 'AGENT');
});
afterAll(() => app.close());

const follow = (slug: string) => personalRoomLink(app.services, slug);
const rename = (who: typeof ada, slug: string) => who.send('PUT', '/api/personal-room', { slug });
let names = 0;
const freshName = () => `fresh-${++names}`;

test('each member has one personal room with its lobby on, even after concurrent requests', async () => {
  const rooms = await Promise.all(Array.from({ length: 10 }, () => agent.call(readPersonalRoom)));
  expect(new Set(rooms.map(({ roomId }) => roomId)).size).toBe(1);
  const [room] = rooms;
  expect(room).toMatchObject({
    topic: `${agent.user.firstName} ${agent.user.lastName}`,
    slug: `${agent.user.firstName}-${agent.user.lastName}`.toLowerCase(),
    url: expect.stringMatching(/\/meet-me\/[a-z0-9-]+$/),
  });
  expect(await agent.call(openRoom, { params: { id: room?.roomId ?? '' } })).toMatchObject({
    lobbySince: expect.any(String),
  });
  expect((await ada.call(readPersonalRoom)).roomId).not.toBe(room?.roomId);
  await expect(
    app.owner.query(
      `insert into rooms (id, org_id, topic, personal_of) values (gen_random_uuid(), $1, 'x', $2)`,
      [ada.user.orgId, agent.user.id],
    ),
  ).rejects.toMatchObject({ constraint: 'rooms_one_personal' });
});

test('the personal room is not in the list of rooms, and its owner may call in it', async () => {
  const { roomId } = await agent.call(readPersonalRoom);
  expect(await ada.call(listRooms)).toEqual([]);
  expect(await agent.send('POST', '/api/calls', { roomId })).toMatchObject({ status: 201 });
});

test('two people with the same name get two URLs', async () => {
  await app.owner.query(`update accounts set first_name = 'Same', last_name = 'Name'`);
  const [one, two] = [await ada.call(readPersonalRoom), await agent.call(readPersonalRoom)];
  expect(one.slug).toBe('same-name');
  expect(two.slug).toMatch(/^same-name-[0-9a-f]{4}$/);
});

test('the URL leads to the room’s guest link, also after a renewal', async () => {
  const { slug, roomId } = await agent.call(readPersonalRoom);
  const before = await follow(slug);
  expect(before).toMatch(/^\/join\/[\w-]{64}$/);
  expect(await follow(slug.toUpperCase())).toBe(before);
  await agent.call(renewGuestLink, { params: { id: roomId } });
  expect(await follow(slug)).not.toBe(before);
});

test('a renamed room is found under both URLs for 30 days, then the old one reports the move', async () => {
  const { slug: old } = await agent.call(readPersonalRoom);
  const slug = freshName();
  const renamed = await agent.call(renamePersonalRoom, {
    body: { slug: ` ${slug.toUpperCase()} ` },
  });
  expect(renamed).toMatchObject({ slug });
  expect(await follow(old)).toBe(await follow(slug));
  await app.owner.query(
    `update room_slugs set replaced_at = now() - interval '31 days' where slug = $1`,
    [old],
  );
  await expect(follow(old)).rejects.toMatchObject({ code: 'personal_room_moved', status: 410 });
  expect(await rename(ada, old), 'nobody else gets it').toMatchObject({
    status: 409,
    body: {
      code: 'slug_taken',
      errors: [{ path: 'slug', message: 'This address is taken. Please choose another.' }],
    },
  });
  expect(await rename(agent, old), 'its owner may go back').toMatchObject({ status: 200 });
  await follow(old);
});

test('a slug is unique in the whole installation', async () => {
  const eve = await newOrganization(app);
  const { slug } = await agent.call(readPersonalRoom);
  expect(await rename(eve, slug)).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
});

test.each([
  ['ab', 'Please use at least 3 characters'],
  ['x'.repeat(41), 'Please use at most 40 characters'],
  ['a b', 'Please use lowercase letters, digits and single hyphens'],
  ['-ada', 'Please use lowercase letters, digits and single hyphens'],
  ['ada--l', 'Please use lowercase letters, digits and single hyphens'],
  ['аdа', 'Please use lowercase letters, digits and single hyphens'],
  ['<script>', 'Please use lowercase letters, digits and single hyphens'],
  ['Admin', 'This word is reserved. Please choose another.'],
])('the slug %s is refused: %s', async (slug, message) => {
  expect(await rename(agent, slug)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'slug', message }] },
  });
});

test('when the member is removed, the room is archived and its URL reports it', async () => {
  const { slug, roomId } = await agent.call(readPersonalRoom);
  await ada.send('DELETE', `/api/users/${agent.user.id}`);
  await expect(follow(slug)).rejects.toMatchObject({ code: 'personal_room_gone', status: 410 });
  expect(await ada.call(listRooms, { query: '?status=archived' })).toMatchObject([{ id: roomId }]);
  const { rows } = await app.owner.query(
    `select action from audit_events where entity_id = $1 order by id`,
    [roomId],
  );
  expect(rows.map(({ action }) => action)).toEqual(['ROOM_CREATED', 'ROOM_ARCHIVED']);
});

test('an unknown slug leads nowhere', async () => {
  for (const slug of ['nobody-here', '%00', '../join', 'x'.repeat(300)])
    await expect(follow(slug)).rejects.toMatchObject({ status: 404 });
});

test('names become readable slugs', () => {
  expect(slugFrom('Jürgen Groß', 'x')).toBe('juergen-gross');
  expect(slugFrom('Zoë  O’Brien-Ærø', 'x')).toBe('zoe-o-brien-aeroe');
  expect(slugFrom('李雷', 'room-1')).toBe('room-1');
  expect(slugFrom('Admin', 'room-1')).toBe('room-1');
});

test('the address of a deleted organization’s room leads to no one else for a year', async () => {
  const slug = freshName();
  await rename(agent, slug);
  const other = await newOrganization(app);
  await app.owner.query('delete from organizations where id = $1', [ada.user.orgId]);
  expect(await rename(other, slug)).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
  await app.owner.query(`update retired_slugs set retired_at = retired_at - interval '1 year'`);
  expect((await rename(other, slug)).status).toBe(200);
});
