import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ParticipantId } from '#domain/ids.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import type { MediaRoom } from '#server/providers/video/media-room.ts';
import { fakeMediaServer, signed, signedEvent } from '#server/testing/fake-media-server.ts';
import { type Entered, enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  endStalled,
  expectAnswer,
  expectOneRefused,
  stall,
} from '#server/testing/stalled-request.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { staffTokenOf } from '#server/testing/waiting-guest.ts';

const fake = fakeMediaServer('livekit');
let app: TestApp;
let url: string;
let adas: Entered;
let mediaRoom: MediaRoom;
beforeAll(async () => {
  app = await openTestApp({}, { video: fake.video });
  url = await app.listen();
});
beforeEach(async () => {
  const ada = await newOrganization(app);
  const { id } = await ada.call(createRoom, { body: { topic: 'Review' } });
  adas = await enter(url, await staffTokenOf(ada, id));
  const { room } = await adas.until('media-server');
  mediaRoom = { orgId: ada.user.orgId, roomId: id, id: room } as MediaRoom;
});
afterAll(() => app.close());

const post = ({ body, authorization }: Awaited<ReturnType<typeof signedEvent>>) =>
  new Visitor(app).send('POST', '/api/webhooks/livekit', body, {
    'content-type': 'application/webhook+json',
    authorization,
  });
const joined = (identity: string, id = `EV_${randomUUID()}`) => ({
  id,
  event: 'participant_joined',
  room: mediaRoom,
  identity,
});
const stored = async () =>
  (
    await app.owner.query('select id, kind, lost from media_events where media_room_id = $1', [
      mediaRoom.id,
    ])
  ).rows;

test('a signed event is stored once, however often it is received', async () => {
  const event = await signedEvent(joined(adas.id, 'EV_1'));
  expect([(await post(event)).status, (await post(event)).status]).toEqual([200, 200]);
  expect(await stored()).toEqual([{ id: 'EV_1', kind: 'joined', lost: false }]);
});

test('an event that is unsigned, wrongly signed, expired, or altered is refused', async () => {
  const good = await signedEvent(joined(adas.id));
  const others = [
    { ...good, authorization: '' },
    { ...good, body: good.body.replace('joined', 'left') },
    await signedEvent(joined(adas.id), 'the secret of somebody else, long enough'),
    await signedEvent(joined(adas.id), undefined, Math.floor(Date.now() / 1000) - 60),
  ];
  for (const event of others) expect((await post(event)).status).toBe(401);
  expect(await stored()).toEqual([]);
});

test('attack 28: a participant of the media room who is not in the meeting is removed', async () => {
  const stranger = randomUUID();
  await post(await signedEvent(joined(stranger)));
  expect(fake.orders).toContain(`remove ${mediaRoom.id} ${stranger}`);
  await post(await signedEvent(joined(adas.id)));
  expect(fake.orders).not.toContain(`remove ${mediaRoom.id} ${adas.id}`);
});

test('a participant who lost the media unintentionally gets a new access token', async () => {
  const left = { ...joined(adas.id), event: 'participant_left' };
  await post(await signedEvent({ ...left, id: 'EV_bye', disconnectReason: 'CLIENT_INITIATED' }));
  await adas.settled();
  expect(adas.all('media-server').length).toBe(1);
  await post(await signedEvent({ ...left, id: 'EV_lost', disconnectReason: 'STATE_MISMATCH' }));
  await vi.waitFor(() => expect(adas.all('media-server').length).toBe(2));
});

test('a finished media room is closed when the meeting is empty, and kept otherwise', async () => {
  const open = async () =>
    (
      await app.owner.query('select closed_at is null as open from media_rooms where id = $1', [
        mediaRoom.id,
      ])
    ).rows[0]?.open;
  const finished = (id: string) => signedEvent({ id, event: 'room_finished', room: mediaRoom });
  await post(await finished('EV_a'));
  expect(await open()).toBe(true);
  adas.send({ type: 'leave' });
  await adas.closed;
  await vi.waitFor(async () => {
    await post(await finished(`EV_${randomUUID()}`));
    expect(await open()).toBe(false);
  });
});

test('events of foreign or unknown rooms, or of an unused kind, change nothing', async () => {
  const before = fake.orders.length;
  const wrong = { ...joined(adas.id), room: { ...mediaRoom, orgId: randomUUID() } as MediaRoom };
  const unknown = { ...joined(adas.id), room: { ...mediaRoom, id: randomUUID() } as MediaRoom };
  const other = { ...joined(adas.id), event: 'track_published' };
  for (const told of [wrong, unknown, other]) {
    expect((await post(await signedEvent(told))).status).toBe(200);
  }
  expect(await stored()).toEqual([]);
  expect(fake.orders.length).toBe(before);
});

/** Sends the head of an event whose body does not arrive. */
const stallEvent = (base: string, authorization: string) =>
  stall(Number(new URL(base).port), [
    'POST /api/webhooks/livekit HTTP/1.1',
    'Content-Type: application/webhook+json',
    'Content-Length: 60000',
    `Authorization: ${authorization}`,
  ]);

test('R7-11: an event that the media server did not sign is refused before it is read', async () => {
  const foreign = await signedEvent(joined(adas.id), 'the secret of somebody else, long enough');
  const pass = await fake.video.mediaServer?.pass(mediaRoom, adas.id as ParticipantId);
  const signed = await signedEvent(joined(adas.id));
  for (const authorization of ['', 'x', foreign.authorization, pass?.token ?? '']) {
    await expectAnswer(stallEvent(url, authorization), 401);
  }
  const all = Array.from({ length: 55 }, () => stallEvent(url, signed.authorization));
  await expectOneRefused(all);
  endStalled();
});

test('R7-11: events are counted by address before their signature is checked', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '0.0005' }, { video: fake.video });
  const send = () => new Visitor(strict).send('POST', '/api/webhooks/livekit');
  for (const status of [401, 401, 401, 429]) expect((await send()).status).toBe(status);
  await strict.close();
});

test('R20-57: events of one organization are counted apart from those of the others', async () => {
  const { config } = app.services;
  const scale = config.RATE_LIMIT_SCALE;
  const flooding = { ...mediaRoom, orgId: randomUUID() } as MediaRoom;
  const statuses: number[] = [];
  Object.assign(config, { RATE_LIMIT_SCALE: 0.005 });
  try {
    for (let n = 0; n < 32; n += 1) {
      const event = await signedEvent({ ...joined(randomUUID()), room: flooding });
      statuses.push((await post(event)).status);
    }
    expect((await post(await signedEvent(joined(adas.id, 'EV_other')))).status).toBe(200);
  } finally {
    Object.assign(config, { RATE_LIMIT_SCALE: scale });
  }
  expect(statuses).toEqual([...Array(30).fill(200), 429, 429]);
  expect(await stored()).toMatchObject([{ id: 'EV_other' }]);
});

test('R20-57: long events of one organization that take long hold no place of the others’', async () => {
  const quick = mediaRoom;
  const ben = await newOrganization(app);
  const { id } = await ben.call(createRoom, { body: { topic: 'Slow' } });
  const bens = await enter(url, await staffTokenOf(ben, id));
  const { room } = await bens.until('media-server');
  const slow = { orgId: ben.user.orgId, roomId: id, id: room } as MediaRoom;
  const { mediaServer } = fake.video;
  if (!mediaServer) throw new Error('it has one');
  let goOn = () => {};
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const remove = vi
    .spyOn(mediaServer, 'remove')
    .mockImplementation(({ orgId }) => (orgId === slow.orgId ? going : Promise.resolve()));
  /** A stranger in a room whose event is long enough to take a place. */
  const strangerIn = ({ orgId, roomId, id: ofMedia }: MediaRoom) =>
    signed({
      id: `EV_${randomUUID()}`,
      event: 'participant_joined',
      room: { name: `${orgId}.${roomId}.${ofMedia}`, metadata: 'x'.repeat(20_000) },
      participant: { identity: randomUUID() },
    });
  const waiting: ReturnType<typeof post>[] = [];
  try {
    for (let n = 0; n < 4; n += 1) waiting.push(post(await strangerIn(slow)));
    await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(4));
    expect((await post(await strangerIn(quick))).status).toBe(200);
    expect(remove).toHaveBeenCalledTimes(5);
  } finally {
    goOn();
  }
  for (const each of waiting) expect((await each).status).toBe(200);
  remove.mockRestore();
});

test('R7-11: without a media server its webhook does not exist, and reads no body', async () => {
  const plain = await openTestApp();
  const { authorization } = await signedEvent(joined(adas.id));
  await expectAnswer(stallEvent(await plain.listen(), authorization), 404);
  endStalled();
  await plain.close();
});
