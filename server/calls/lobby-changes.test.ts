import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { changeGuestAccess, createLink, revokeLink } from '#domain/links/contract.ts';
import { createRoom, updateRoom } from '#domain/rooms/contract.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import { countAdmissions } from '#server/testing/count-admissions.ts';
import type { LiveClient } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { guestTokenOf, hello } from '#server/testing/waiting-guest.ts';
import { LobbyTurns } from './lobby-turns.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let id: Awaited<ReturnType<typeof newRoom>>['id'];
const newRoom = () => ada.call(createRoom, { body: { topic: 'Review' } });
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_SCALE: '1' });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  id = (await newRoom()).id;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => app.close());

async function previews(count: number): Promise<LiveClient[]> {
  const pages: LiveClient[] = [];
  let token = '';
  for (let n = 0; n < count; n += 1) {
    const from = { 'x-forwarded-for': `192.0.2.${Math.floor(n / 20)}` };
    if (n % 20 === 0) token = await guestTokenOf(app, ada, id);
    const page = await hello(url, token, undefined, from);
    await page.until('waiting');
    pages.push(page);
  }
  return pages;
}

const setLobby = (lobby: boolean) => ada.call(updateRoom, { params: { id }, body: { lobby } });

test('R7-9: guests in a preview are looked up at a bounded rate, and learn the last change', async () => {
  const pages = await previews(140);
  const lookUps = countAdmissions(app);
  const startedAt = Date.now();
  for (let n = 0; n <= 10; n += 1) await setLobby(n % 2 === 0);
  const mustAsk = (page: LiveClient) => page.all('waiting').at(-1)?.mustAsk;
  await expect.poll(() => pages.every(mustAsk), { timeout: 15_000 }).toBe(true);
  const seconds = (Date.now() - startedAt) / 1000;
  // A burst of 100, and 50 a second after that.
  expect(lookUps.count).toBeLessThanOrEqual(100 + 50 * seconds + 1);
});

test('R7-9: a guest whom a host admits does not wait for the others of the room', async () => {
  vi.useFakeTimers();
  const turns = new LobbyTurns({ RATE_LIMIT_SCALE: 1 });
  const claims = { kind: 'guest', orgId: 'org', roomId: 'room' } as MeetingClaims;
  const { signal } = new AbortController();
  const others = vi.fn();
  for (let n = 0; n < 500; n += 1) void turns.lookUp(claims, false, signal).then(others);
  const named = turns.lookUp(claims, true, signal);
  await vi.advanceTimersByTimeAsync(100);
  expect(await named).toBe(true);
  expect(others.mock.calls.length).toBeLessThan(110);
});

test('R7-9: a change of nothing is told to no process', async () => {
  const { id: link } = await ada.call(createLink, {
    params: { id },
    body: { label: 'Link', name: 'Gus', expiresInDays: 7 },
  });
  const published = vi.spyOn(app.services.bus, 'publish');
  const changes = async () => {
    await setLobby(true);
    await ada.call(changeGuestAccess, { params: { id }, body: { waitingText: 'Soon' } });
    await ada.call(revokeLink, { params: { id: link } });
    return published.mock.calls.filter(([channel]) => channel === 'lobby').length;
  };
  expect(await changes()).toBe(3);
  expect(await changes()).toBe(3);
});
