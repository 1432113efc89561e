import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Call, readCall, startCall, updateCall } from '#domain/calls/contract.ts';
import { createRoom, openRoom } from '#domain/rooms/contract.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { closeDesertedCalls } from './close-deserted-calls.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let roomId: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
  ada = await newOrganization(app);
});
beforeEach(async () => {
  roomId = (await ada.call(createRoom, { body: { topic: 'Kick-off' } })).id;
});
afterAll(() => app.close());

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();
const year9999 = '9999-12-31T23:59:59Z';

const start = (startedAt?: string) => ada.call(startCall, { body: { roomId, startedAt } });
const sendStart = (startedAt: unknown) => ada.send('POST', '/api/calls', { roomId, startedAt });
const put = ({ id }: Call, body: object) => ada.call(updateCall, { params: { id }, body });
const sendPut = ({ id }: Call, body: object) => ada.send('PUT', `/api/calls/${id}`, body);
const read = ({ id }: Call) => ada.call(readCall, { params: { id } });
const storedCalls = async () =>
  (await app.owner.query('select * from calls where room_id = $1', [roomId])).rows;
const connect = async () =>
  enter(url, (await ada.call(openRoom, { params: { id: roomId } })).meetingToken);
const attended = (call: Call) =>
  expect.poll(async () => (await read(call)).attendances.length).toBeGreaterThan(0);
const refusalAt = (path: string, code: string) => ({
  status: 400,
  body: { code, errors: [{ path, message: expect.stringMatching(/Please /) }] },
});
const expectNow = (time: string | null) =>
  expect(Math.abs(Date.parse(`${time}`) - Date.now())).toBeLessThan(10 * second);

describe('a call without attendance', () => {
  test('keeps the times that the client sends, and derives its duration from them', async () => {
    const [startedAt, endedAt] = [fromNow(-29 * day), fromNow(-29 * day + 90 * second)];
    const call = await start(startedAt);
    expect(call).toMatchObject({ startedAt, endedAt: null });
    const ended = await put(call, { endedAt, durationSec: 7 });
    expect(ended).toMatchObject({ startedAt, endedAt, durationSec: 90 });
  });

  test.each([
    ['61 seconds ahead', () => fromNow(61 * second + 500), 'start_in_future'],
    ['in the year 9999', () => year9999, 'start_in_future'],
    ['31 days ago', () => fromNow(-31 * day), 'start_too_old'],
    ['in the year 0', () => '0000-01-01T00:00:00Z', 'start_too_old'],
  ])('is not created with a start %s', async (_, startedAt, code) => {
    expect(await sendStart(startedAt())).toMatchObject(refusalAt('startedAt', code));
    expect(await storedCalls()).toEqual([]);
  });

  test.each(['yesterday', '2026-13-01T00:00:00Z', 12, 'NaN', ''])(
    'is not created with %j as its start',
    async (startedAt) => {
      const reply = await sendStart(startedAt);
      expect(reply).toMatchObject(refusalAt('startedAt', 'invalid_input'));
      expect(await storedCalls()).toEqual([]);
    },
  );

  test('accepts a start up to a minute ahead, and uses the server’s time without one', async () => {
    const startedAt = fromNow(30 * second);
    const call = await start(startedAt);
    expect(call.startedAt).toBe(startedAt);
    const ended = await put(call, { endForEveryone: true });
    expect(ended).toMatchObject({ endedAt: startedAt, durationSec: 0 });
    expectNow((await start()).startedAt);
  });

  test.each([
    ['61 seconds ahead', () => fromNow(61 * second + 500), 'end_in_future'],
    ['in the year 9999', () => year9999, 'end_in_future'],
    ['before the start', () => fromNow(-3 * day - second), 'end_before_start'],
    ['25 hours after the start', () => fromNow(-3 * day + 25 * hour), 'call_too_long'],
    ['left out days after the start', () => undefined, 'call_too_long'],
  ])('is not ended by an end %s, and nothing of that PUT is stored', async (_, end, code) => {
    const call = await start(fromNow(-3 * day));
    const before = await storedCalls();
    const body = { endedAt: end(), endForEveryone: true, notesSnapshot: 'Lost', npsScore: 9 };
    expect(await sendPut(call, body)).toMatchObject(refusalAt('endedAt', code));
    expect(await storedCalls()).toEqual(before);
    expect(await read(call)).toMatchObject({ endedAt: null, notesSnapshot: null, npsScore: null });
  });

  test('is not ended by an endedAt that is not a time', async () => {
    const call = await start();
    const reply = await sendPut(call, { endedAt: 'NaN' });
    expect(reply).toMatchObject(refusalAt('endedAt', 'invalid_input'));
    expect((await read(call)).endedAt).toBeNull();
  });

  test('is not changed by a durationSec without an end', async () => {
    expect(await put(await start(), { durationSec: 5 })).toMatchObject({
      endedAt: null,
      durationSec: null,
    });
  });

  test('keeps its end, whatever end is sent later', async () => {
    const call = await start(fromNow(-hour));
    const ended = await put(call, { endedAt: fromNow(-minute) });
    for (const endedAt of [fromNow(-second), year9999, fromNow(-2 * hour)])
      expect(await put(call, { endedAt, durationSec: 3 })).toEqual(ended);
  });

  test('takes the end of one of two concurrent PUTs, and both answers contain it', async () => {
    const call = await start(fromNow(-hour));
    const ends = [fromNow(-20 * minute), fromNow(-10 * minute)];
    const [one, other] = await Promise.all(ends.map((endedAt) => put(call, { endedAt })));
    expect(one).toEqual(other);
    expect(ends).toContain(one?.endedAt);
    const { rows } = await app.owner.query(
      `select 1 from audit_events where entity_id = $1 and action = 'CALL_ENDED'`,
      [call.id],
    );
    expect(rows).toHaveLength(1);
  });

  test('does not keep a start of days before if no client ends it', async () => {
    const call = await start(fromNow(-10 * day));
    await app.owner.query(
      `update calls set last_seen_at = now() - interval '3 minutes',
        created_at = now() - interval '5 minutes' where id = $1`,
      [call.id],
    );
    await closeDesertedCalls(app.services, new Date(), new Date(Date.now() - hour));
    expect((await read(call)).durationSec).toBe(120);
  });
});

test('a POST while a call runs answers that call and ignores the start', async () => {
  const call = await start(fromNow(-hour));
  for (const startedAt of [year9999, fromNow(-31 * day), fromNow(-minute)])
    expect(await sendStart(startedAt)).toMatchObject({ status: 200, body: call });
});

describe('a call with attendance', () => {
  test.each([year9999, '2001-01-01T00:00:00Z', '0000-01-01T00:00:00Z'])(
    'ends by the server’s clock, also after everyone has left, and not at %s',
    async (endedAt) => {
      const call = await start();
      const page = await connect();
      await attended(call);
      await page.drop();
      const ended = await put(call, { endedAt, durationSec: 4000 });
      expectNow(ended.endedAt);
      expect(ended.durationSec).toBeLessThan(10);
    },
  );

  test('starts by the server’s clock, whatever start the client sent', async () => {
    const call = await start(fromNow(-10 * day));
    const { welcome } = await connect();
    expect(welcome.call).toMatchObject({ id: call.id, startedAt: call.createdAt });
    await attended(call);
    expectNow((await read(call)).startedAt);
    expect((await put(call, { endedAt: fromNow(0) })).durationSec).toBeLessThan(10);
  });

  test('starts by the server’s clock for participants who wait for it', async () => {
    const page = await connect();
    const call = await start(fromNow(-10 * day));
    expect((await page.until('call-started')).call).toEqual({
      id: call.id,
      startedAt: call.createdAt,
      joined: false,
    });
    const changed = await page.until('call-changed');
    expect(changed.call).toMatchObject({ id: call.id, joined: true });
    expectNow(changed.call.startedAt);
    expect((await read(call)).startedAt).toBe(changed.call.startedAt);
  });

  test('keeps its start when a second person connects', async () => {
    const call = await start();
    await connect();
    await attended(call);
    await app.owner.query(
      `update calls set started_at = started_at + interval '5 seconds' where id = $1`,
      [call.id],
    );
    const { startedAt } = await read(call);
    await (await connect()).settled();
    await expect.poll(async () => (await read(call)).attendances.length).toBe(2);
    expect((await read(call)).startedAt).toBe(startedAt);
  });
});
