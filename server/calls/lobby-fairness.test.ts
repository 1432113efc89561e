import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { mostInPreviewOfAddress, mostWaitingOfAddress } from '#domain/calls/live.ts';
import { createLink } from '#domain/links/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let id: string;
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  id = (await ada.call(createRoom, { body: { topic: 'Review', lobby: true } })).id;
});
afterAll(() => app.close());

const guestToken = () => guestTokenOf(app, ada, id);
const come = async (from: string, name?: string, token?: string) =>
  hello(url, token ?? (await guestToken()), name, { 'x-forwarded-for': from });
/** Asks for admission. Returns the page, or the code that it was closed with. */
async function ask(from: string, name: string, token?: string) {
  const page = await come(from, name, token);
  const waits = page.until('waiting', ({ since }) => since !== null);
  return Promise.race([waits.then(() => page).catch(() => page.closed), page.closed]);
}
const askAll = (from: (n: number) => string, name: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(from(n), `${name} ${n}`)));
const refused = (outcomes: unknown[]) =>
  outcomes.filter((one) => one === closeCodes.crowded).length;
const host = async () => enter(url, await staffTokenOf(ada, id));

test('M10: of one link and address at most five guests wait, even if more ask concurrently', async () => {
  const outcomes = await askAll(() => '192.0.2.1', 'False', mostWaitingOfAddress + 4);
  expect(refused(outcomes)).toBe(4);
  expect(refused([await ask('192.0.2.2', 'Bo')])).toBe(0);
});

test('M10: the addresses of one IPv6 network count as one, and an IPv4-mapped one as IPv4', async () => {
  const outcomes = await askAll((n) => `2001:db8:0:1::${n + 1}`, 'False', mostWaitingOfAddress + 1);
  expect(refused(outcomes)).toBe(1);
  expect(refused([await ask('2001:db8:0:2::1', 'Bo')])).toBe(0);
  expect(refused(await askAll(() => '192.0.2.1', 'False', mostWaitingOfAddress))).toBe(0);
  expect(await ask('::ffff:192.0.2.1', 'Cy')).toBe(closeCodes.crowded);
});

test('a place becomes free when a guest leaves, and another link has its own places', async () => {
  const pages = await askAll(() => '192.0.2.1', 'Guest', mostWaitingOfAddress);
  const link = await ada.call(createLink, { params: { id }, body: { name: 'For Acme' } });
  const { body } = await new Visitor(app).send('GET', `/api/join/${link.url.split('/').at(-1)}`);
  const { meetingToken } = body as { meetingToken: string };
  expect(refused([await ask('192.0.2.1', 'Bo', meetingToken)])).toBe(0);
  expect(await ask('192.0.2.1', 'Cy')).toBe(closeCodes.crowded);
  const [first] = pages;
  if (typeof first === 'object') {
    first.send({ type: 'leave' });
    await first.closed;
  }
  await expect.poll(async () => refused([await ask('192.0.2.1', 'Cy')])).toBe(0);
});

test('M10: hosts see one guest of each address first, and the number of hidden ones', async () => {
  // An attacker with many addresses, each with the most guests that it may have.
  for (let n = 0; n < 11; n += 1) await askAll(() => `198.51.100.${n}`, `False ${n}`, 5);
  await ask('192.0.2.9', 'The customer');
  const adas = await host();
  const list = await adas.until('lobby', ({ guests }) => guests.length === 50);
  expect(list.hidden).toBe(6);
  expect(list.guests.slice(0, 12).map(({ name }) => name)).toContain('The customer');
  expect(new Set(list.guests.slice(0, 11).map(({ name }) => name.slice(0, 8))).size).toBe(11);
});

test('M10: only a limited number of guests of one link and address are in the preview', async () => {
  const pages = [];
  for (let n = 0; n < mostInPreviewOfAddress; n += 1) {
    const page = await come('192.0.2.1');
    await page.until('waiting');
    pages.push(page);
  }
  expect(await (await come('192.0.2.1')).closed).toBe(closeCodes.crowded);
  await (await come('192.0.2.2')).until('waiting');
  await pages[0]?.drop();
  await expect
    .poll(async () => {
      const page = await come('192.0.2.1');
      return Promise.race([
        page.closed,
        page.until('waiting').then(
          () => 'in',
          () => 'out',
        ),
      ]);
    })
    .toBe('in');
});
