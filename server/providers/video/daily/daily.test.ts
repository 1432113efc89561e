import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { orgId, participantId, roomId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { VideoEngineError, type Visit } from '../port.ts';
import { daily } from './daily.ts';
import { roomNameOf, roomOfName } from './room-name.ts';

let standIn: DailyStandIn;
const waits: number[] = [];
let turns = 0;
const turn = async () => {
  turns += 1;
};
beforeAll(async () => {
  standIn = await new DailyStandIn().open();
});
beforeEach(() => {
  standIn.asked.length = 0;
  standIn.next.length = 0;
  waits.length = 0;
  turns = 0;
});
afterAll(() => standIn.close());

const engine = (apiKey = standIn.apiKey, domainUrl = standIn.url) =>
  daily(
    { apiBase: `${standIn.url}/v1`, apiKey, domainUrl, hasWebhook: true, records: false },
    { wait: async (ms) => void waits.push(ms), random: () => 0.5 },
  );

const visit = (given: Partial<Visit> = {}): Visit => ({
  orgId: newId(orgId),
  roomId: newId(roomId),
  participantId: newId(participantId),
  kind: 'staff',
  isHost: true,
  mustKnock: false,
  name: 'Ada Lovelace',
  publicUrl: 'https://calls.example.com',
  expiresAt: new Date(Date.now() + 290_000),
  meetingToken: 'ours',
  ...given,
});
const askedFor = () => standIn.asked.map(({ method, path }) => `${method} ${path}`);
const newestToken = () => {
  const { body } = standIn.asked.findLast(({ path }) => path === '/meeting-tokens') ?? {};
  return (body as { properties: Record<string, unknown> }).properties;
};

test('the first participant creates a private room, others use it, and the URL is Daily’s', async () => {
  const ada = visit();
  const name = `${ada.orgId}_${ada.roomId}`;
  const entrance = await engine().admit(ada, turn);
  expect(entrance).toEqual({
    dailyUrl: `${standIn.url}/${name}`,
    meetingToken: expect.any(String),
    panelToken: 'ours',
  });
  expect(askedFor().sort()).toEqual([`GET /rooms/${name}`, 'POST /meeting-tokens', 'POST /rooms']);
  expect(standIn.rooms.get(name)).toMatchObject({ privacy: 'private' });

  standIn.asked.length = 0;
  await engine().admit({ ...ada, participantId: newId(participantId) }, turn);
  expect(askedFor().sort()).toEqual([`GET /rooms/${name}`, 'POST /meeting-tokens']);
});

test('five concurrent first participants are all admitted', async () => {
  const room = visit();
  const both = [engine(), engine()];
  const people = [0, 1, 0, 1, 0].map((at) =>
    both[at]?.admit({ ...room, participantId: newId(participantId) }, turn),
  );
  const entrances = await Promise.all(people);
  expect(new Set(entrances.map((entrance) => entrance?.dailyUrl)).size).toBe(1);
});

test('a room that was made public at Daily is made private before anyone is admitted', async () => {
  const ada = visit();
  await engine().admit(ada, turn);
  const room = standIn.rooms.get(roomNameOf(ada));
  Object.assign(room ?? {}, { privacy: 'public' });
  await engine().admit(ada, turn);
  expect(room?.privacy).toBe('private');
});

test('a token is for one room and person, until a given time, with owner rights only for hosts', async () => {
  const ada = visit();
  await engine().admit(ada, turn);
  const now = Date.now() / 1000;
  expect(newestToken()).toEqual({
    room_name: roomNameOf(ada),
    user_id: ada.participantId,
    user_name: 'Ada Lovelace',
    is_owner: true,
    nbf: expect.any(Number),
    exp: Math.floor(ada.expiresAt.getTime() / 1000),
    eject_at_token_exp: false,
    eject_after_elapsed: 12 * 3600,
    enable_recording_ui: false,
  });
  expect(Number(newestToken().nbf)).toBeLessThan(now);

  await engine().admit({ ...ada, kind: 'guest', isHost: false, name: 'Bo'.repeat(300) }, turn);
  expect(newestToken()).toMatchObject({ is_owner: false, user_name: 'Bo'.repeat(40) });
  expect(newestToken()).not.toHaveProperty('knocking');
});

test('a guest of a room with a lobby has to knock at Daily', async () => {
  await engine().admit(visit({ kind: 'guest', isHost: false, mustKnock: true }), turn);
  expect(newestToken()).toMatchObject({ knocking: true, is_owner: false });
});

test('a room that was deleted at Daily is created again for the next participant', async () => {
  const ada = visit();
  const one = engine();
  await one.admit(ada, turn);
  standIn.rooms.clear();
  await one.admit(ada, turn);
  expect(standIn.rooms.has(roomNameOf(ada))).toBe(true);
});

test('participants are ejected by id, and banned if they were removed', async () => {
  const ada = visit();
  const one = engine();
  await one.admit(ada, turn);
  standIn.asked.length = 0;
  const people = Array.from({ length: one.page?.mostEjected ?? 0 }, () => newId(participantId));
  await one.page?.remove(ada, people, true, turn);
  expect(standIn.asked.map(({ body }) => body)).toEqual([{ user_ids: people, ban: true }]);
});

test('R11B-6: each request takes a turn, also to create a room, to make it private, and to try again', async () => {
  const ada = visit();
  const one = engine();
  standIn.next.push({ status: 503, body: {} });
  await one.admit(ada, turn);
  expect(askedFor()).toHaveLength(4);
  expect(turns).toBe(4);
  Object.assign(standIn.rooms.get(roomNameOf(ada)) ?? {}, { privacy: 'public' });
  await one.admit(ada, turn);
  expect(turns).toBe(7);
  standIn.next.push('drop');
  await one.page?.remove(ada, [ada.participantId], true, turn);
  expect(turns).toBe(9);
  expect(standIn.asked).toHaveLength(turns);
});

test.each([
  ['429 with Retry-After', { status: 429, body: {}, headers: { 'retry-after': '2' } }, 2000],
  ['500', { status: 500, body: 'oops' }, 250],
  ['503', { status: 503, body: { error: 'server-error', info: '' } }, 250],
  ['a connection that breaks', 'drop' as const, 250],
])('%s is retried', async (_name, failure, pause) => {
  standIn.next.push(failure);
  await engine().admit(visit(), turn);
  expect(waits).toEqual([pause]);
});

test.each([
  ['three times no answer', ['drop', 'drop', 'drop'] as const, 3],
  [
    'a Retry-After that nobody would wait for',
    [{ status: 429, body: {}, headers: { 'retry-after': '60' } }] as const,
    1,
  ],
  [
    'a request that the reference refuses',
    [{ status: 400, body: { error: 'invalid-request-error', info: 'x' } }] as const,
    1,
  ],
  [
    'an answer that the reference does not have',
    [{ status: 200, body: { removed: [] } }] as const,
    1,
  ],
])('%s is a VideoEngineError that does not contain the key', async (_name, failures, requests) => {
  standIn.next.push(...failures);
  const error = await engine()
    .page?.remove(visit(), [newId(participantId)], false, turn)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(VideoEngineError);
  expect(standIn.asked).toHaveLength(requests);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(standIn.apiKey);
});

test('a wrong key is not retried', async () => {
  const { page } = engine(randomUUID());
  await expect(page?.remove(visit(), [newId(participantId)], false, turn)).rejects.toMatchObject({
    status: 401,
    kind: 'authentication-error',
  });
  expect(standIn.asked).toHaveLength(1);
});

test('a room under another domain than the configured one is not framed', async () => {
  await expect(
    engine(standIn.apiKey, 'https://example.daily.co').admit(visit(), turn),
  ).rejects.toThrow('not under DAILY_URL');
});

test('a room name identifies organization and room, and foreign names yield null', () => {
  const { orgId: org, roomId: room } = visit();
  expect(roomOfName(roomNameOf({ orgId: org, roomId: room }))).toEqual({
    orgId: org,
    roomId: room,
  });
  for (const name of ['hello', `${org}`, `${org}_${room}_x`, `x_${room}`, '']) {
    expect(roomOfName(name)).toBe(null);
  }
});
