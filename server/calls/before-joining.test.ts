import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { startCall } from '#domain/calls/contract.ts';
import type { ToServer } from '#domain/calls/live.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { bothOn, guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let id: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  id = (await ada.call(createRoom, { body: { topic: 'Review' } })).id;
  await ada.call(startCall, { body: { roomId: id } });
});
afterAll(() => app.close());

const guestToken = () => guestTokenOf(app, ada, id);
const host = async () => enter(url, await staffTokenOf(ada, id));
const signalOf = (to: string, bytes: number): ToServer => ({
  type: 'signal',
  to,
  signal: { connection: 'c1', description: { type: 'offer', sdp: 'v'.repeat(bytes) } },
});

test('M3: a guest in the preview receives no names, chat or reactions, only hostIsHere', async () => {
  const preview = await hello(url, await guestToken());
  await preview.until('waiting', ({ hostIsHere }) => !hostIsHere);
  const adas = await host();
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  cleo.send({ type: 'chat', id: 'one', text: 'Among us' });
  cleo.send({ type: 'react', reaction: '🎉' });
  await adas.until('chat');
  await adas.until('reacted');
  await vi.waitFor(
    async () =>
      expect((await preview.settled()).all('waiting').at(-1)).toMatchObject({ hostIsHere: true }),
    { timeout: 15_000, interval: 500 },
  );
  expect(new Set(preview.heard.map(({ type }) => type))).toEqual(new Set(['waiting', 'pong']));
  expect(JSON.stringify(preview.heard)).not.toMatch(/Cleo|First|Review/);
});

test('M2: messages of a guest in the preview are not relayed to the meeting', async () => {
  const adas = await host();
  const preview = await hello(url, await guestToken());
  await preview.until('waiting');
  const before = adas.heard.length;
  preview.send(signalOf(adas.id, 100));
  preview.send({ type: 'watch', to: adas.id, camera: true, screen: true });
  preview.send({ type: 'react', reaction: '🎉' });
  preview.send({ type: 'media', media: bothOn });
  await preview.settled();
  expect((await adas.settled()).heard.slice(before).map(({ type }) => type)).toEqual(['pong']);
});

test('staff in the preview receive the roster, but no chat, reactions or signals', async () => {
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  const preview = await enter(url, await staffTokenOf(ada, id), { media: undefined });
  expect(preview.welcome.participants.map(({ name }) => name)).toContain('Cleo');
  cleo.send({ type: 'chat', id: 'one', text: 'Among us' });
  cleo.send({ type: 'react', reaction: '🎉' });
  cleo.send(signalOf(preview.id, 100));
  const dan = await enter(url, await guestToken(), { name: 'Dan' });
  await preview.until('joined', ({ participant }) => participant.id === dan.id);
  await cleo.until('saved');
  preview.send(signalOf(cleo.id, 100));
  await preview.settled();
  expect((await cleo.settled()).all('signal')).toEqual([]);
  expect(preview.all('chat')).toEqual([]);
  expect(preview.all('reacted')).toEqual([]);
  expect(preview.all('signal')).toEqual([]);
  preview.send({ type: 'join', media: bothOn });
  await preview.until('changed', ({ participant }) => participant.inMeeting);
  cleo.send({ type: 'chat', id: 'two', text: 'Welcome' });
  await preview.until('chat', ({ message }) => message.text === 'Welcome');
});

test('a guest’s offer is sent with the hello that joins, also from the preview', async () => {
  const adas = await host();
  const token = await guestToken();
  const page = await hello(url, token);
  await page.until('waiting');
  const offer = { connection: 'c1', description: { type: 'offer' as const, sdp: 'v=0' } };
  page.send({
    type: 'hello',
    protocol: 1,
    channel: 'meeting',
    token,
    name: 'Bo',
    media: bothOn,
    offer,
  });
  expect((await page.until('welcome')).offered).toBe(adas.id);
  expect(await adas.until('signal')).toMatchObject({ signal: offer });
});

test('M2: a signal of more than 20 kB is refused', async () => {
  const adas = await host();
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  cleo.send(signalOf(adas.id, 19_000));
  await adas.until('signal');
  cleo.send(signalOf(adas.id, 190_000));
  expect(await cleo.closed).toBe(closeCodes.badMessage);
  const token = await guestToken();
  const late = await hello(url, token);
  const offer = { description: { type: 'offer' as const, sdp: 'v'.repeat(25_000) } };
  late.send({ type: 'hello', protocol: 1, channel: 'meeting', token, media: bothOn, offer });
  expect(await late.closed).toBe(closeCodes.badMessage);
  expect((await adas.settled()).all('signal')).toHaveLength(1);
});

test('M2: a guest who sends too much is disconnected, on a second socket too; the host stays', async () => {
  const adas = await host();
  const token = await guestToken();
  const cleo = await enter(url, token, { name: 'Cleo' });
  // A host whose network receives nothing for a while.
  adas.socket.pause();
  const flood = (page: typeof cleo) => {
    for (let n = 0; n < 170; n += 1) page.send(signalOf(adas.id, 19_000));
    return page.closed;
  };
  expect(await flood(cleo)).toBe(closeCodes.flooding);
  expect(await flood(await enter(url, token, { name: 'Cleo' }))).toBe(closeCodes.flooding);
  adas.socket.resume();
  await adas.settled();
  expect(adas.all('signal').length).toBeLessThan(40);
});
