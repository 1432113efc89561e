import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { readGuestLink, renewGuestLink, updateRoom } from '#domain/rooms/contract.ts';
import { enter, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import {
  bothOn,
  firstAnswer,
  greet,
  guestTokenOf,
  hello,
  staffTokenOf,
} from '#server/testing/waiting-guest.ts';

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

const newBrowser = () => `rapport_guest=${randomUUID()}`;
const tokenOf = (browser = newBrowser()) => guestTokenOf(app, ada, started.room.id, browser);
const host = async () => enter(url, await staffTokenOf(ada, started.room.id));

async function removed(browser: string) {
  const adas = await host();
  const cleo = await enter(url, await tokenOf(browser), { name: 'Cleo' });
  await adas.until('joined', ({ participant }) => participant.id === cleo.id);
  adas.send({ type: 'remove', to: cleo.id });
  expect(await cleo.closed).toBe(closeCodes.removed);
  return { adas, cleo };
}

test('attack 28: a removed guest cannot return from a new tab while this call runs', async () => {
  const browser = newBrowser();
  const { adas } = await removed(browser);
  const fresh = await tokenOf(browser);
  expect(await refusedHello(url, { token: fresh, media: bothOn })).toBe(closeCodes.removed);
  await ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });
  await adas.closed;
  const next = await enter(url, await tokenOf(browser), { name: 'Cleo' });
  expect(next.welcome.call).toBe(null);
});

test('after a removal no newcomer joins by the link alone, but has to ask a host', async () => {
  const preview = await hello(url, await tokenOf());
  await preview.until('waiting', ({ mustAsk }) => !mustAsk);
  const { adas } = await removed(newBrowser());
  await preview.until('waiting', ({ mustAsk }) => mustAsk);
  const token = await tokenOf();
  const dan = await hello(url, token, 'Dan');
  await dan.until('waiting', ({ since }) => since !== null);
  const { guests } = await adas.until('lobby', (list) => list.guests.length === 1);
  expect(guests.map(({ name }) => name)).toEqual(['Dan']);
  adas.send({ type: 'admit', guests: guests.map(({ id }) => id) });
  await dan.until('let-in');
  greet(dan, token, 'Dan');
  await dan.until('welcome');
});

test('a participant who was in the call returns without asking after another was removed', async () => {
  const inside = await enter(url, await tokenOf(), { name: 'Eve' });
  await removed(newBrowser());
  await inside.drop();
  await enter(url, inside.welcome.token, { name: 'Eve' });
});

/** A guest who enters without a cookie, and leaves. Returns the token to come back with. */
async function hasLeft(adas: Awaited<ReturnType<typeof host>>): Promise<string> {
  const spare = await enter(url, await tokenOf(''), { name: 'Spare' });
  await attends(spare.id, true);
  spare.send({ type: 'leave' });
  await adas.until('left', ({ participantId }) => participantId === spare.id);
  await attends(spare.id, false);
  return spare.welcome.token;
}
const attends = (id: string, isThere: boolean) =>
  vi.waitFor(async () => {
    const { rows } = await app.owner.query('select left_at from attendances where id = $1', [id]);
    expect(rows.map(({ left_at }) => left_at === null)).toEqual([isThere]);
  });
const setLobby = (lobby: boolean) =>
  ada.call(updateRoom, { params: { id: started.room.id }, body: { lobby } });

test('G10: a removed guest does not return as another participant who had left before', async () => {
  const adas = await host();
  const spare = await hasLeft(adas);
  await removed(newBrowser());
  expect(await firstAnswer(await hello(url, spare, 'Spare'))).toBe('waiting');
});

test('G10: a removed guest does not return as one whom a host had admitted from the lobby before', async () => {
  await setLobby(true);
  const adas = await host();
  const token = await tokenOf('');
  const page = await hello(url, token, 'Spare');
  const waiting = await page.until('waiting', ({ since }) => since !== null);
  adas.send({ type: 'admit', guests: [String(decodeJwt(token).participantId)] });
  await page.until('let-in');
  await page.drop();
  await setLobby(false);
  await removed(newBrowser());
  expect(await firstAnswer(await hello(url, waiting.token, 'Spare'))).toBe('waiting');
});

test('G10: a lock, a lobby, and a new link keep out guests who had left before, and those present stay', async () => {
  const adas = await host();
  const present = await enter(url, await tokenOf(''), { name: 'Eve' });
  const spare = await hasLeft(adas);
  const answers = async (token: string) => firstAnswer(await hello(url, token, 'Back'));
  await setLobby(true);
  expect(await answers(spare)).toBe('waiting');
  await setLobby(false);
  adas.send({ type: 'lock', locked: true });
  await adas.until('call-changed', ({ call }) => call.locked === true);
  expect(await answers(spare)).toBe(closeCodes.locked);
  adas.send({ type: 'lock', locked: false });
  await expect.poll(() => adas.all('call-changed').at(-1)?.call.locked).not.toBe(true);
  expect(await answers(spare)).toBe('welcome');
  const other = await hasLeft(adas);
  await ada.call(renewGuestLink, { params: { id: started.room.id } });
  expect(await answers(other)).toBe(closeCodes.tokenRefused);
  await present.drop();
  expect(await answers(present.welcome.token)).toBe('welcome');
});

test('a refused guest is refused from a new tab, too; without the cookie it asks again', async () => {
  await removed(newBrowser());
  const browser = newBrowser();
  const dan = await hello(url, await tokenOf(browser), 'Dan');
  const adas = await host();
  const { guests } = await adas.until('lobby', (list) => list.guests.length === 1);
  adas.send({ type: 'refuse', guest: guests[0]?.id ?? '' });
  expect(await dan.closed).toBe(closeCodes.refusedEntry);
  expect(await refusedHello(url, { token: await tokenOf(browser) })).toBe(closeCodes.refusedEntry);
  const other = await hello(url, await tokenOf(), 'Dan');
  await other.until('waiting');
});

test('the link sets a guest browser id for half a day, and keeps an existing one', async () => {
  const link = await ada.call(readGuestLink, { params: { id: started.room.id } });
  const path = `/api/join/${link.url.split('/').at(-1)}`;
  const cookieOf = (headers: Record<string, unknown>) => String(headers['set-cookie']);
  const first = cookieOf((await new Visitor(app).send('GET', path)).headers);
  expect(first).toMatch(
    /^rapport_guest=[0-9a-f-]{36}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax/,
  );
  const cookie = first.split(';')[0] ?? '';
  const again = await new Visitor(app).send('GET', path, undefined, { cookie });
  expect(cookieOf(again.headers)).toContain(cookie);
  const forged = await new Visitor(app).send('GET', path, undefined, { cookie: 'rapport_guest=x' });
  expect(cookieOf(forged.headers)).toMatch(/^rapport_guest=[0-9a-f-]{36};/);
});
