import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { readCall, startCall, updateCall } from '#domain/calls/contract.ts';
import { createRoom, openRoom } from '#domain/rooms/contract.ts';
import { mockVideo } from '#server/providers/video/mock.ts';
import { enter, enterPanel, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf } from '#server/testing/waiting-guest.ts';
import { closeDesertedCalls } from './close-deserted-calls.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const tokenOf = async (visitor: Visitor) =>
  (await visitor.call(openRoom, { params: { id: started.room.id } })).meetingToken;
const preview = async (visitor: Visitor) =>
  enter(url, await tokenOf(visitor), { media: undefined });
const status = async () => (await ada.send('GET', `/api/calls/${started.call.id}`)).status;
const read = () => ada.call(readCall, { params: { id: started.call.id } });
const opened = () =>
  expect
    .poll(async () => {
      const { rows } = await app.owner.query('select opened_at from calls where id = $1', [
        started.call.id,
      ]);
      return rows[0]?.opened_at ?? null;
    })
    .not.toBeNull();
/** In minutes. */
const averageDuration = async () => (await ada.call(readAnalytics)).avgDuration;
const put = (body: object) => ada.call(updateCall, { params: { id: started.call.id }, body });
const agesAgo = () =>
  app.owner.query(
    `update calls set last_seen_at = now() - interval '3 minutes', created_at = now() - interval '9 minutes'
      where id = $1`,
    [started.call.id],
  );
const closeDeserted = () =>
  closeDesertedCalls(app.services, new Date(), new Date(Date.now() - 3_600_000));

/** Repeated, because a call whose row is locked is left for the next round, as after its last page has closed. */
const endOnceDeserted = async () => {
  await agesAgo();
  await closeDeserted();
  return (await read()).endedAt;
};

describe('a call that was only opened', () => {
  test('is removed when its last page closes, and the audit log says so', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    const token = await tokenOf(ada);
    const [page, panel] = [
      await enter(url, token, { media: undefined }),
      await enterPanel(url, token),
    ];
    const his = await preview(ben);
    expect(panel.welcome.call).toMatchObject({ joined: false });
    await opened();
    his.send({ type: 'leave' });
    page.send({ type: 'leave' });
    await page.closed;
    await panel.settled();
    expect(await status()).toBe(200);
    panel.send({ type: 'leave' });
    await expect.poll(status).toBe(404);
    const { rows } = await app.owner.query(
      `select 1 from audit_events where entity_id = $1 and action = 'CALL_DISCARDED'`,
      [started.call.id],
    );
    expect(rows).toHaveLength(1);
    const { calls, callCount } = await ada.call(openRoom, { params: { id: started.room.id } });
    expect({ calls, callCount }).toEqual({ calls: [], callCount: 0 });
  });

  test.each([
    ['notes', { notesSnapshot: 'Wants a quote' }],
    ['a rating', { npsScore: 9 }],
  ])('is kept with %s', async (_, body) => {
    const page = await preview(ada);
    await opened();
    await put(body);
    page.send({ type: 'leave' });
    await page.closed;
    await expect.poll(endOnceDeserted).not.toBeNull();
  });

  test('is kept with a ticked item', async () => {
    const page = await preview(ada);
    await opened();
    const [item] = started.call.checklistItems;
    await put({ checklistChanges: { [item?.id ?? '']: true } });
    page.send({ type: 'leave' });
    await page.closed;
    await expect.poll(endOnceDeserted).not.toBeNull();
  });

  test('is removed like a deserted one when its pages are lost', async () => {
    const page = await preview(ada);
    await opened();
    await page.drop();
    const statusOnceDeserted = async () => {
      await agesAgo();
      await closeDeserted();
      return status();
    };
    await expect.poll(statusOnceDeserted).toBe(404);
  });

  test('moves no average when a request ends it', async () => {
    const page = await preview(ada);
    await opened();
    await app.owner.query(
      `update calls set created_at = now() - interval '9 minutes', started_at = now() - interval '9 minutes'
        where id = $1`,
      [started.call.id],
    );
    expect((await put({ endForEveryone: true })).durationSec).toBeGreaterThan(500);
    await page.closed;
    expect(await averageDuration()).toBe(0);
  });
});

describe('the start of a call', () => {
  test('is when the first person joins, and pages that are open learn it', async () => {
    const panel = await enterPanel(url, await tokenOf(ada));
    await opened();
    await app.owner.query(
      `update calls set created_at = now() - interval '9 minutes', started_at = now() - interval '9 minutes'
        where id = $1`,
      [started.call.id],
    );
    const guest = await enter(url, await guestTokenOf(app, ada, started.room.id), { name: 'Gus' });
    const { call } = await panel.until('call-changed');
    expect(call).toMatchObject({ id: started.call.id, joined: true });
    expect(Math.abs(Date.parse(call.startedAt) - Date.now())).toBeLessThan(10_000);
    expect((await read()).startedAt).toBe(call.startedAt);
    const second = await enter(url, await tokenOf(ada));
    expect(second.welcome.call).toEqual({ ...call, locked: false });
    guest.send({ type: 'leave' });
    expect((await put({ endForEveryone: true })).durationSec).toBeLessThan(10);
  });

  test('is its creation where no page ever opens it, and then it counts', async () => {
    const endedAt = new Date(Date.parse(started.call.startedAt) + 54_000).toISOString();
    await put({ endedAt });
    expect((await read()).durationSec).toBe(54);
    expect(await averageDuration()).toBe(0.9);
  });

  test('is its creation where the engine cannot tell who joins, and then it counts', async () => {
    const mocked = await openTestApp({}, { video: mockVideo() });
    try {
      const at = await mocked.listen();
      const bea = await newOrganization(mocked);
      const { id } = await bea.call(createRoom, { body: { topic: 'Demo' } });
      const call = await bea.call(startCall, { body: { roomId: id } });
      const room = await bea.call(openRoom, { params: { id } });
      const panel = await enterPanel(at, room.panelToken ?? room.meetingToken);
      expect(panel.welcome.call).toMatchObject({ joined: true, startedAt: call.startedAt });
      panel.send({ type: 'leave' });
      await panel.closed;
      const ended = await bea.call(updateCall, {
        params: { id: call.id },
        body: { endForEveryone: true },
      });
      expect(ended.startedAt).toBe(call.startedAt);
    } finally {
      await mocked.close();
    }
  });
});

describe('a joined call', () => {
  const guestIn = async () =>
    enter(url, await guestTokenOf(app, ada, started.room.id), { name: 'Gus' });

  test('goes on with its guests after the last of the staff has left, and ends with the last guest', async () => {
    const [host, guest] = [await enter(url, await tokenOf(ada)), await guestIn()];
    const other = await guestIn();
    host.send({ type: 'leave' });
    await guest.until('left', ({ participantId }) => participantId === host.id);
    other.send({ type: 'leave' });
    await guest.until('left', ({ participantId }) => participantId === other.id);
    expect((await read()).endedAt).toBeNull();
    guest.send({ type: 'leave' });
    await expect.poll(async () => (await read()).endedAt).not.toBeNull();
    const { rows } = await app.owner.query(
      `select actor_kind from audit_events where entity_id = $1 and action = 'CALL_ENDED'`,
      [started.call.id],
    );
    expect(rows).toEqual([{ actor_kind: 'system' }]);
  });

  test('waits for a last guest whose page was closed, and who may return', async () => {
    const guest = await guestIn();
    guest.socket.close(1001);
    await guest.closed;
    await expect
      .poll(async () => (await read()).attendances.map(({ leftAt }) => leftAt))
      .toEqual([expect.any(String)]);
    expect((await read()).endedAt).toBeNull();
  });

  test('goes on while a page that has not joined is open', async () => {
    const panel = await enterPanel(url, await tokenOf(ada));
    const guest = await guestIn();
    guest.send({ type: 'leave' });
    await panel.until('left', ({ participantId }) => participantId === guest.id);
    await panel.settled();
    expect((await read()).endedAt).toBeNull();
  });
});

test('R32-E4: a member who was away as their call ended is told so, and not taken for the next one', async () => {
  const ben = await newMember(app, ada, 'AGENT');
  const page = await enter(url, await tokenOf(ben));
  await expect.poll(async () => (await read()).attendances.length).toBe(1);
  await page.drop();
  await put({ endedAt: new Date().toISOString(), endForEveryone: true });
  const { token } = page.welcome;
  expect(await refusedHello(url, { token })).toBe(closeCodes.callEnded);
  // With a new token, they attend the next one.
  started.call = await ada.call(startCall, { body: { roomId: started.room.id } });
  await enter(url, await tokenOf(ben));
  await expect.poll(async () => (await read()).attendances.length).toBe(1);
});
