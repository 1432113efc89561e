import { afterAll, beforeAll, expect, test } from 'vitest';
import { logout } from '#domain/auth/contract.ts';
import { closeCodes, tryAgainLater } from '#domain/calls/close-codes.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { orgId as orgIdOf } from '#domain/ids.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import { enter, type LiveClient } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, signInAgain } from '#server/testing/visitor.ts';
import { guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';
import { WorkBudget } from './work-budget.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' });
  url = await app.listen();
});
afterAll(() => app.close());

const withLimits = async (use: (own: TestApp, url: string) => Promise<void>) => {
  const own = await openTestApp({ RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' });
  try {
    await use(own, await own.listen());
  } finally {
    await own.close();
  }
};

test('R5-2: costly messages of an account share a budget over its sockets, and lose nothing', () =>
  withLimits(async (own, at) => {
    const ada = await newOrganization(own);
    const { room } = await runningCall(ada);
    const pages = [
      await enter(at, await staffTokenOf(ada, room.id)),
      await enter(at, await staffTokenOf(ada, room.id)),
    ];
    const refused = () => pages.flatMap((page) => page.all('refused')).length;
    for (let n = 0; n < 22; n += 1) {
      for (const page of pages) page.send({ type: 'refuse', guest: crypto.randomUUID() });
    }
    for (const page of pages) page.send({ type: 'ping', sequence: 0 });
    await expect.poll(refused).toBeGreaterThanOrEqual(40);
    expect(pages.flatMap((page) => page.all('pong')).length).toBeLessThan(pages.length);
    await expect.poll(refused, { timeout: 10_000 }).toBe(44);
    await Promise.all(pages.map((page) => page.until('pong')));
  }));

test('R25-B3: messages of any kind of all sockets of an organization’s staff share a rate, in turns of their accounts', async () => {
  const budget = new WorkBudget({ RATE_LIMIT_SCALE: 1 });
  const [ada, bea] = ['ada', 'bea'].map(
    (accountId) => ({ kind: 'staff', orgId: 'acme', accountId }) as unknown as MeetingClaims,
  );
  const guest = { kind: 'guest', orgId: 'acme', roomId: 'room' } as unknown as MeetingClaims;
  const socket = { address: '192.0.2.1', closed: new AbortController().signal };
  let sent = 0;
  const flood: Promise<boolean>[] = [];
  while (flood.length < 1_000) {
    const turn = budget.messageTurn(ada, socket);
    sent += 1;
    if (turn) flood.push(turn);
  }
  // Some 5,500 messages use up what an organization has at once for all kinds of work (organization-time.ts).
  expect(sent).toBeGreaterThanOrEqual(6_500);
  expect(sent).toBeLessThan(14_000);
  expect(budget.messageTurn(guest, socket)).toBeNull();
  expect(budget.messageTurn(undefined, socket)).toBeNull();
  const handled: string[] = [];
  const all = flood.map(async (turn) => (await turn) && handled.push('ada'));
  // Null where time has passed in which nobody had to wait.
  const other = budget.messageTurn(bea, socket) ?? Promise.resolve(true);
  if (await other) handled.push('bea');
  expect(handled.length).toBeLessThan(500);
  await Promise.all(all);
  expect(handled).toHaveLength(1_001);
});

test('R6-1: a hello beyond the budget of its session is told to try again later, and waits nowhere', () =>
  withLimits(async (own, at) => {
    const ada = await newOrganization(own);
    const { room } = await runningCall(ada);
    const token = await staffTokenOf(ada, room.id);
    const codes = new Map<number, number>();
    for (let n = 0; n < 90; n += 1) {
      const page = await hello(at, token, 'Ada');
      const code = await Promise.race([page.closed, page.until('welcome').then(() => 1000)]);
      codes.set(code, (codes.get(code) ?? 0) + 1);
      await page.drop();
    }
    expect([...codes.keys()].sort()).toEqual([1000, tryAgainLater]);
    expect(codes.get(1000)).toBeGreaterThanOrEqual(60);
  }));

test('R6-2: guests who drop their costly messages keep no other guest of the room waiting', () =>
  withLimits(async (own, at) => {
    const ada = await newOrganization(own);
    const { room } = await runningCall(ada);
    const tokens = [];
    for (let n = 0; n < 3; n += 1) tokens.push(await guestTokenOf(own, ada, room.id));
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let n = 0; n < 150; n += 1) {
      const page = await hello(at, tokens[n % 3] ?? '', 'Flood', from(`192.0.2.${n % 2}`));
      await page.until('welcome');
      page.send({ type: 'chat-since', after: null });
      await page.drop();
    }
    const gus = await hello(at, await guestTokenOf(own, ada, room.id), 'Gus', from('192.0.2.9'));
    await gus.until('welcome');
    gus.send({ type: 'chat-since', after: null });
    // A shared budget would owe this answer for longer than the client waits.
    await gus.until('chat-history');
  }));

test('R6-3: hellos with the token of a session that has ended do not keep its account out', () =>
  withLimits(async (own, at) => {
    const ada = await newOrganization(own);
    const { room } = await runningCall(ada);
    const stolen = await staffTokenOf(ada, room.id);
    await ada.call(logout, {});
    const comes = async () => (await hello(at, stolen, 'Thief')).closed;
    const codes = await Promise.all(Array.from({ length: 90 }, comes));
    expect([...new Set(codes)].sort()).toEqual([tryAgainLater, closeCodes.tokenRefused]);
    await signInAgain(ada);
    const page = await hello(at, await staffTokenOf(ada, room.id), 'Ada');
    await page.until('welcome');
  }));

test('R6-13: a message that is longer than its type needs ends the socket before it is handled', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const staff = await enter(url, await staffTokenOf(ada, room.id));
  staff.say(JSON.stringify({ type: 'ping', sequence: 0, more: 'x'.repeat(1_000) }));
  expect(await staff.closed).toBe(closeCodes.badMessage);
  const guest = await hello(url, await guestTokenOf(app, ada, room.id), 'Gus');
  await guest.until('welcome');
  guest.say(JSON.stringify({ type: 'note', id: 'n', update: 'x'.repeat(40_000) }));
  expect(await guest.closed).toBe(closeCodes.badMessage);
});

test('R6-14: a tick that changes nothing goes to nobody else, and many at once go in one message', async () => {
  const ada = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  const [mine, other] = [
    await enter(url, await staffTokenOf(ada, room.id), { channel: 'panel' }),
    await enter(url, await staffTokenOf(ada, room.id), { channel: 'panel' }),
  ];
  const { items } = await mine.until('checklist');
  const [first] = items;
  for (const id of ['a', 'b', 'c']) {
    mine.send({ type: 'check', id, itemId: first?.itemId ?? '', checked: true });
    await mine.until('saved', (saved) => saved.id === id);
  }
  await other.settled();
  expect(other.all('checked')).toHaveLength(1);
  const checklistStateJson = Object.fromEntries(items.map(({ itemId }) => [itemId, false]));
  await ada.call(updateCall, { params: { id: call.id }, body: { checklistStateJson } });
  await other.until('checklist', (sent) => sent.items.length === 1);
  expect(other.all('checklist')).toHaveLength(2);
});

test('R6-14: a message to all panels of a room costs as much as there are', async () => {
  const budget = new WorkBudget({ RATE_LIMIT_SCALE: 1 });
  const claims = {
    kind: 'staff',
    participantId: crypto.randomUUID(),
    accountId: crypto.randomUUID(),
  } as MeetingClaims;
  const closed = new AbortController();
  const tick = (panels: number) =>
    budget.turn({
      claims,
      type: 'check',
      address: '::1',
      receivers: panels,
      closed: closed.signal,
    });
  // Ten messages to 200 panels are what an account may publish at once.
  for (let n = 0; n < 10; n += 1) expect(await tick(200)).toBe(true);
  const next = tick(2000);
  closed.abort();
  expect(await next).toBe(false);
});

test('R5-2: any number of lobby changes cause few queries', async () => {
  const ada = await newOrganization(app);
  const { id } = await ada.call(createRoom, { body: { topic: 'Review', lobby: true } });
  const host = await enter(url, await staffTokenOf(ada, id));
  const guest = await hello(url, await guestTokenOf(app, ada, id), 'Gus');
  const { guests } = await host.until('lobby', (heard) => heard.guests.length === 1);
  await guest.until('waiting', ({ since }) => since !== null);
  const { counts } = app.services.database;
  const orgId = orgIdOf.parse(ada.user.orgId);
  const before = counts.statements;
  for (let n = 0; n < 200; n += 1) {
    tellLobbyChange(app.services.bus, { orgId, roomId: id });
  }
  host.send({ type: 'tell-waiting', guest: guests[0]?.id ?? '', text: 'Soon' });
  await guest.until('waiting', ({ said }) => said === 'Soon');
  expect(counts.statements - before).toBeLessThan(40);
});

test('what a host does about one guest of a lobby needs no look-ups of the others', async () => {
  const ada = await newOrganization(app);
  const { id } = await ada.call(createRoom, { body: { topic: 'Review', lobby: true } });
  const pages: LiveClient[] = [];
  for (let n = 0; n < 20; n += 1) {
    const from = { 'x-forwarded-for': `192.0.2.${n}` };
    const page = await hello(url, await guestTokenOf(app, ada, id), `Guest ${n}`, from);
    await page.until('waiting', ({ since }) => since !== null);
    pages.push(page);
  }
  const host = await enter(url, await staffTokenOf(ada, id));
  const { guests } = await host.until('lobby', (sent) => sent.guests.length === pages.length);
  const { counts } = app.services.database;
  const before = counts.statements;
  host.send({ type: 'tell-waiting', guest: guests[0]?.id ?? '', text: 'Soon' });
  await Promise.any(pages.map((page) => page.until('waiting', ({ said }) => said === 'Soon')));
  await host.settled();
  // For twenty guests it would be more than forty.
  expect(counts.statements - before).toBeLessThan(20);
});

test('R5-3: at most twenty places are kept for an account that drops its sockets', async () => {
  const ada = await newOrganization(app);
  const bea = await newMember(app, ada, 'AGENT');
  const { room } = await runningCall(ada);
  for (let n = 0; n < 25; n += 1) {
    const page = await enter(url, await staffTokenOf(ada, room.id));
    await page.drop();
  }
  const there = async () => {
    const page = await enter(url, await staffTokenOf(bea, room.id));
    const { participants, self } = await page.until('welcome');
    page.send({ type: 'leave' });
    return participants.filter(({ id }) => id !== self).length;
  };
  await expect.poll(there).toBe(20);
});

test('R5-5: a socket that floods with control frames is closed', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const page = await enter(url, await staffTokenOf(ada, room.id));
  for (let n = 0; n < 3000; n += 1) page.socket.pong();
  expect(await page.closed).toBe(1006);
});

test('messages that were received before a close are handled, as far as the budget goes', () =>
  withLimits(async (own, at) => {
    const ada = await newOrganization(own);
    const { room, call } = await runningCall(ada);
    const page = await enter(at, await staffTokenOf(ada, room.id));
    for (let n = 0; n < 5; n += 1) page.send({ type: 'chat', id: `${n}`, text: `message ${n}` });
    page.send({ type: 'lock', locked: true });
    page.socket.close(1000);
    await page.closed;
    const stored = async () => {
      const { rows } = await own.owner.query(
        `select (select count(*)::int from chat_messages where call_id = $1) as messages,
          locked_at is not null as locked from calls where id = $1`,
        [call.id],
      );
      return rows[0];
    };
    await expect.poll(stored).toEqual({ messages: 5, locked: true });
  }));

const guestClaims = (roomId: string, orgId: string) =>
  ({
    kind: 'guest',
    participantId: crypto.randomUUID(),
    guestLinkId: 'link',
    roomId,
    orgId,
  }) as MeetingClaims;

test('guests of a large room keep no guest of another room of the organization waiting', async () => {
  const budget = new WorkBudget({ RATE_LIMIT_SCALE: 1 });
  const { signal: closed } = new AbortController();
  const publish = (type: 'chat' | 'react', roomId: string, address: string, people: number) =>
    budget.turn({
      claims: guestClaims(roomId, 'org'),
      type,
      address,
      receivers: people,
      closed,
    });
  const flood = Array.from({ length: 300 }, (_, n) =>
    publish('chat', 'large', `192.0.2.${n % 10}`, 600),
  );
  expect(await publish('chat', 'small', '198.51.100.1', 2)).toBe(true);
  expect(await Promise.race([...flood.slice(50), Promise.resolve('waits')])).toBe('waits');
  // A reaction that would have to wait is dropped.
  expect(await publish('react', 'large', '192.0.2.1', 600)).toBe(false);
});

test('bytes of previews are not counted for the guests in the meeting', () => {
  const budget = new WorkBudget({ RATE_LIMIT_SCALE: 1 });
  const preview = guestClaims('room', 'org');
  for (let n = 0; n < 100; n += 1) budget.letsBytes(preview, '192.0.2.1', false, 32_000);
  expect(budget.letsBytes(preview, '192.0.2.1', false, 32_000)).toBe(false);
  expect(budget.letsBytes(guestClaims('room', 'org'), '192.0.2.1', true, 32_000)).toBe(true);
});

test('R20-54: captions and words so far have the bounds of messages, and delay no message', async () => {
  const budget = new WorkBudget({ RATE_LIMIT_SCALE: 1 });
  const accountId = crypto.randomUUID();
  const claims = { kind: 'staff', participantId: crypto.randomUUID(), accountId } as MeetingClaims;
  const closed = AbortSignal.abort();
  const speak = () => budget.captionTurn({ claims, address: '::1', receivers: 2000, closed });
  expect([await speak(), await speak()]).toEqual([true, false]);
  expect([budget.letsInterim(claims, 2000), budget.letsInterim(claims, 2000)]).toEqual([
    true,
    false,
  ]);
  const chat = { claims, type: 'chat', address: '::1', receivers: 2000, closed } as const;
  expect(await budget.turn(chat)).toBe(true);
});
