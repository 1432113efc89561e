import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { enter, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  url = await app.listen();
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

type Page = Awaited<ReturnType<typeof hello>>;
const fragment = ({ socket }: Page, text: string, fin = false) => socket.send(text, { fin });

test('R7-6: a message in few fragments is handled, and one in many closes its socket', async () => {
  const page = await enter(url, await staffTokenOf(ada, started.room.id));
  fragment(page, '{"type":"ping",');
  fragment(page, '');
  fragment(page, '"sequence":0}', true);
  await page.until('pong');
  fragment(page, '{"type":"ping","sequence":0');
  for (let n = 0; n < 100; n += 1) fragment(page, '');
  fragment(page, '}', true);
  expect(await page.closed).toBe(1008);
});

test('R7-6: an unfinished message of a guest is bounded like a complete one, and a note is not', async () => {
  const panel = await enterPanel(url, await staffTokenOf(ada, started.room.id));
  fragment(panel, `{"type":"note","id":"long","update":"${'A'.repeat(150_000)}`);
  fragment(panel, `${'A'.repeat(150_000)}"}`, true);
  await panel.until('saved', ({ id }) => id === 'long');
  const token = await guestTokenOf(app, ada, started.room.id);
  const preview = await hello(url, token);
  await preview.until('waiting');
  for (const guest of [preview, await enter(url, token, { name: 'Gus' })]) {
    for (let n = 0; n < 5; n += 1) fragment(guest, ' '.repeat(20_000));
    expect(await guest.closed).toBe(closeCodes.badMessage);
  }
});

test('R7-6: unfinished messages spend what an account may send', async () => {
  const open = await Promise.all(
    Array.from({ length: 40 }, async () =>
      enterPanel(url, await staffTokenOf(ada, started.room.id)),
    ),
  );
  for (const page of open) fragment(page, ' '.repeat(300_000));
  expect(await Promise.any(open.map(({ closed }) => closed))).toBe(closeCodes.flooding);
});

test('R25-B3: messages that arrive in one piece are all handled, in their order, though a socket is paused', async () => {
  // Of an account that has sent nothing yet, unlike Ada's.
  const olga = await newOrganization(app);
  const { room } = await runningCall(olga);
  const panel = await enterPanel(url, await staffTokenOf(olga, room.id));
  // Corked, so that the frames arrive together.
  const stream = (panel.socket as unknown as { _socket: import('node:net').Socket })._socket;
  stream.cork();
  for (let n = 0; n < 1_000; n += 1) panel.send({ type: 'ping', sequence: 0 });
  const { items } = await panel.until('checklist');
  for (const checked of [true, false]) {
    panel.send({ type: 'check', id: `${checked}`, itemId: items[0]?.itemId ?? '', checked });
  }
  stream.uncork();
  await panel.until('saved', ({ id }) => id === 'false');
  expect(panel.all('pong')).toHaveLength(1_000);
  expect(panel.all('saved').map(({ id }) => id)).toEqual(['true', 'false']);
});
