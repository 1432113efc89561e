import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeCodes, sayHelloAgain } from '#domain/calls/close-codes.ts';
import type { Participant } from '#domain/calls/participant.ts';
import { createLink } from '#domain/links/contract.ts';
import { buildApp } from '#server/app.ts';
import type { Database } from '#server/platform/database.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf, staffTokenOf } from '#server/testing/waiting-guest.ts';
import { tellRoom } from './room-events.ts';

let app: TestApp;
let other: FastifyInstance;
let urls: [string, string];
/** Transactions of the other process wait for it. */
let held: Promise<void> | null = null;
let waiting = 0;
beforeAll(async () => {
  app = await openTestApp();
  const database: Database = Object.assign(Object.create(app.services.database), {
    async transaction(...given: Parameters<Database['transaction']>) {
      waiting += 1;
      await held;
      waiting -= 1;
      return app.services.database.transaction(...given);
    },
  });
  const services = { ...app.services, database };
  other = await buildApp(services, { pagesDir: null, strictAnswers: true });
  const address = await other.listen({ port: 0, host: '127.0.0.1' });
  urls = [await app.listen(), address.replace(/^http/, 'ws')];
});
afterAll(async () => {
  await other.close();
  await app.close();
});

test('R29-A8: a participant who goes on by another process is there once, and has left with that page', async () => {
  const ada = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  const host = await enter(urls[0], await staffTokenOf(ada, room.id));
  const token = await guestTokenOf(app, ada, room.id);
  const first = await enter(urls[0], token, { name: 'Bo' });
  const second = await enter(urls[1], token, { name: 'Bo' });
  expect(await first.closed).toBe(closeCodes.replaced);
  const attendance = () =>
    app.owner.query('select left_at from attendances where call_id = $1 and id = $2', [
      ...[call.id, second.id],
    ]);
  expect((await attendance()).rows).toEqual([{ left_at: null }]);
  second.send({ type: 'leave' });
  await host.until('left', ({ participantId }) => participantId === second.id);
  expect(host.all('left')).toHaveLength(1);
  await expect.poll(async () => (await attendance()).rows[0].left_at).toEqual(expect.any(Date));
});

test('a page that was replaced does not replace the page that has taken its place', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const token = await guestTokenOf(app, ada, room.id);
  for (const url of [...urls, ...urls]) {
    const page = await enter(url, token, { name: 'Bo' });
    page.send({ type: 'chat', id: url, text: 'Here' });
    await page.until('saved', ({ id }) => id === url);
  }
});

const inMeeting = async (room: { id: string }, id: string) =>
  (await app.services.bus.presence.list(room.id))
    .filter((one) => one.id === id)
    .map((one) => one.inMeeting);

test('a member whose panel stays on one process has left with the meeting page on the other', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const watcher = await enter(urls[0], await guestTokenOf(app, ada, room.id), { name: 'Bo' });
  const token = await staffTokenOf(ada, room.id);
  const first = await enter(urls[0], token);
  await enter(urls[0], token, { channel: 'panel' });
  const second = await enter(urls[1], token);
  expect(await first.closed).toBe(closeCodes.replaced);
  expect(await inMeeting(room, second.id)).toEqual([true]);
  expect(watcher.all('left')).toEqual([]);
  second.send({ type: 'leave' });
  await watcher.until('left', ({ participantId }) => participantId === second.id);
  // The panel is still there, and its process tells so.
  const isPanelOf = ({ participant }: { participant: Participant }) =>
    participant.id === second.id && !participant.inMeeting;
  await watcher.until('joined', isPanelOf);
  expect(await inMeeting(room, second.id)).toEqual([false]);
});

test('a member whose panel opens on another process is still shown in the meeting', async () => {
  const ada = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  const token = await staffTokenOf(ada, room.id);
  const meeting = await enter(urls[1], token);
  const watcher = await enter(urls[0], await guestTokenOf(app, ada, room.id), { name: 'Bo' });
  const panel = await enter(urls[0], token, { channel: 'panel' });
  expect(await inMeeting(room, meeting.id)).toEqual([true]);
  const later = await enter(urls[0], await guestTokenOf(app, ada, room.id), { name: 'Cy' });
  expect(later.welcome.participants.filter(({ id }) => id === meeting.id)).toMatchObject([
    { inMeeting: true },
  ]);
  for (const guest of [watcher, later]) {
    guest.send({ type: 'leave' });
    await guest.closed;
  }
  panel.send({ type: 'leave' });
  await panel.closed;
  meeting.send({ type: 'chat', id: 'here', text: 'Here' });
  await meeting.until('saved', ({ id }) => id === 'here');
  expect(await inMeeting(room, meeting.id)).toEqual([true]);
  const told = [...watcher.all('joined'), ...watcher.all('changed'), ...watcher.all('left')];
  expect(JSON.stringify(told)).not.toContain(meeting.id);
  const ended = await app.owner.query('select ended_at from calls where id = $1', [call.id]);
  expect(ended.rows).toEqual([{ ended_at: null }]);
});

test('a meeting page tells again of itself when another process has told of the panel alone', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const watcher = await enter(urls[0], await guestTokenOf(app, ada, room.id), { name: 'Bo' });
  const page = await enter(urls[1], await staffTokenOf(ada, room.id));
  const { participant } = await watcher.until('joined', (one) => one.participant.id === page.id);
  // As by a process that has not heard yet of the meeting page.
  const tell = (changed: Partial<Participant>) => {
    const message = { type: 'changed' as const, participant: { ...participant, ...changed } };
    tellRoom(app.services.bus, room.id, { message, processId: 'another' });
  };
  const shown = () =>
    watcher.all('changed').map((one) => [one.participant.inMeeting, one.participant.connected]);
  tell({ inMeeting: false });
  await expect.poll(shown).toEqual([
    [false, true],
    [true, true],
  ]);
  tell({ connected: false });
  await expect
    .poll(() => shown().slice(2))
    .toEqual([
      [true, false],
      [true, true],
    ]);
});

test('R30-B2: a page that has waited for its admission does not stay beside a later one', async () => {
  const ada = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  const host = await enter(urls[0], await staffTokenOf(ada, room.id));
  const link = await ada.call(createLink, {
    params: { id: room.id },
    body: { name: 'For Bo', singleUse: true },
  });
  const visit = await new Visitor(app).send('GET', `/api/join/${link.url.split('/').at(-1)}`);
  const { meetingToken } = visit.body as { meetingToken: string };
  const release = Promise.withResolvers<void>();
  held = release.promise;
  // It takes the link's one place in a transaction.
  const first = enter(urls[1], meetingToken, { name: 'Bo' });
  const refused = expect(first).rejects.toThrow(String(closeCodes.replaced));
  await expect.poll(() => waiting).toBe(1);
  const second = await enter(urls[0], meetingToken, { name: 'Bo' });
  release.resolve();
  held = null;
  await refused;
  const present = await app.services.bus.presence.list(room.id);
  expect(present.filter(({ id }) => id === second.id)).toMatchObject([{ inMeeting: true }]);
  second.send({ type: 'leave' });
  await host.until('left', ({ participantId }) => participantId === second.id);
  const attended = () =>
    app.owner.query('select from attendances where call_id = $1 and left_at is null and id = $2', [
      ...[call.id, second.id],
    ]);
  await expect.poll(async () => (await attended()).rowCount).toBe(0);
});

test('R31-B4: a page that entered while an earlier one left on another process says hello again, and is seen', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const host = await enter(urls[0], await staffTokenOf(ada, room.id));
  const token = await guestTokenOf(app, ada, room.id);
  const page = await enter(urls[1], token, { name: 'Bo' });
  await host.until('joined', ({ participant }) => participant.id === page.id);
  // As by a process that has not heard yet that another one has replaced its page.
  const message = { type: 'left' as const, participantId: page.id };
  tellRoom(app.services.bus, room.id, { message, processId: 'another' });
  await host.until('left', ({ participantId }) => participantId === page.id);
  expect(await page.closed).toBe(sayHelloAgain);
  const again = await enter(urls[1], page.welcome.token, { name: 'Bo' });
  await host.until('joined', () => host.all('joined').length === 2);
  expect(again.id).toBe(page.id);
  const present = await app.services.bus.presence.list(room.id);
  expect(present.filter(({ id }) => id === page.id)).toMatchObject([{ inMeeting: true }]);
});

test('R32-E1: a page that lost its place is gone for the others, who were told of it after that', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const host = await enter(urls[0], await staffTokenOf(ada, room.id));
  const page = await enter(urls[1], await guestTokenOf(app, ada, room.id), { name: 'Bo' });
  const { participant } = await host.until('joined', (one) => one.participant.id === page.id);
  // What the host hears comes in another order than what the page's process hears.
  const told = { to: host.id, message: { type: 'joined' as const, participant } };
  const left = { type: 'left' as const, participantId: page.id };
  tellRoom(app.services.bus, room.id, { except: host.id, message: left, processId: 'another' });
  tellRoom(app.services.bus, room.id, told);
  expect(await page.closed).toBe(sayHelloAgain);
  await host.until('left', ({ participantId }) => participantId === page.id);
});

test('a page stays that enters right after an earlier one has left on the same process', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const host = await enter(urls[0], await staffTokenOf(ada, room.id));
  const token = await guestTokenOf(app, ada, room.id);
  for (let n = 1; n <= 5; n += 1) {
    const page = await enter(urls[1], token, { name: 'Bo' });
    await host.until('joined', () => host.all('joined').length === n);
    page.send({ type: 'chat', id: `${n}`, text: 'Here' });
    await page.until('saved', ({ id }) => id === `${n}`);
    page.send({ type: 'leave' });
    await page.closed;
  }
  await host.until('left', () => host.all('left').length === 5);
});

test('a panel that closes on one process leaves the meeting page on another one open', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  await enter(urls[0], await guestTokenOf(app, ada, room.id), { name: 'Bo' });
  const token = await staffTokenOf(ada, room.id);
  const panel = await enter(urls[0], token, { channel: 'panel' });
  const meeting = await enter(urls[1], token);
  panel.send({ type: 'leave' });
  await panel.closed;
  meeting.send({ type: 'chat', id: 'here', text: 'Here' });
  await meeting.until('saved', ({ id }) => id === 'here');
});

test('R32-E7: who leaves ends no call of others while the bus has lost who is there', async () => {
  const ada = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  const host = await enter(urls[0], await staffTokenOf(ada, room.id));
  const guest = await enter(urls[0], await guestTokenOf(app, ada, room.id), { name: 'Bo' });
  await host.until('joined', ({ participant }) => participant.id === guest.id);
  // As after a restart of Redis, until each process tells again of its own.
  await app.services.bus.presence.remove(
    [host, guest].map(({ id }) => ({ roomId: room.id, channel: 'meeting', participantId: id })),
  );
  host.send({ type: 'leave' });
  const left = async () => {
    const { rows } = await app.owner.query('select left_at from attendances where id = $1', [
      host.id,
    ]);
    return rows[0]?.left_at;
  };
  await expect.poll(left).toEqual(expect.any(Date));
  guest.send({ type: 'chat', id: 'here', text: 'Here' });
  await guest.until('saved', ({ id }) => id === 'here');
  const { rows } = await app.owner.query('select ended_at from calls where id = $1', [call.id]);
  expect(rows).toEqual([{ ended_at: null }]);
});
