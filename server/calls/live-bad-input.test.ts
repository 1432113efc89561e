import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { createRoom, openRoom } from '#domain/rooms/contract.ts';
import { enter, LiveClient, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { bothOn, guestTokenOf } from '#server/testing/waiting-guest.ts';

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

const staffToken = async (id = started.room.id) =>
  (await ada.call(openRoom, { params: { id } })).meetingToken;
const guestToken = () => guestTokenOf(app, ada, started.room.id);
const three = async () =>
  [
    await enter(url, await staffToken()),
    await enter(url, await guestToken(), { name: 'Bo' }),
    await enter(url, await guestToken(), { name: 'Cy' }),
  ] as const;

test('10,000 messages from one peer disconnect it and do not affect the others', async () => {
  const [calm, flooding, other] = await three();
  const signal = JSON.stringify({ type: 'signal', to: calm.id, signal: { candidate: null } });
  for (let n = 0; n < 10_000; n += 1) flooding.say(signal);
  other.send({ type: 'react', reaction: '👍' });
  expect(await flooding.closed).toBe(closeCodes.flooding);
  await calm.until('reacted');
  await calm.until('left', ({ participantId }) => participantId === flooding.id);
  await other.settled();
  expect(calm.all('signal').length).toBeLessThan(600);
  // It is not banned: the same page may return, with its full allowance.
  await enter(url, flooding.welcome.token, { name: 'Bo' });
});

test('a signaling message of 300 KB closes its socket, and is not delivered', async () => {
  const [calm, loud] = await three();
  const sdp = 'v=0\r\n'.padEnd(300_000, 'x');
  loud.send({ type: 'signal', to: calm.id, signal: { description: { type: 'offer', sdp } } });
  expect(await loud.closed).toBe(closeCodes.badMessage);
  expect((await calm.settled()).all('signal')).toEqual([]);
});

test('a message larger than any note closes its socket before it is read', async () => {
  const [loud, calm] = await three();
  loud.say('x'.repeat(400_000));
  expect(await loud.closed).toBe(1009);
  await calm.settled();
});

test('a message of unknown type closes its socket with its own code, and the page can return', async () => {
  const [calm, odd] = await three();
  odd.say('{"type":"promote-me"}');
  expect(await odd.closed).toBe(closeCodes.badMessage);
  await calm.settled();
  await enter(url, odd.welcome.token, { name: 'Bo' });
});

test('SDP that is invalid is delivered unchanged, because the server parses none', async () => {
  const [calm, odd, other] = await three();
  const description = { type: 'offer' as const, sdp: 'certainly not SDP' };
  odd.send({ type: 'signal', to: calm.id, signal: { connection: 'x', description } });
  const { signal } = await calm.until('signal');
  expect(signal.description).toEqual(description);
  expect((await other.settled()).all('signal')).toEqual([]);
});

test('a right-to-left name of 500 characters with emoji is cut between two characters', async () => {
  const [calm] = await three();
  const name = '\u202Eشمس 👩‍👩‍👧‍👦'.repeat(40).slice(0, 500);
  const long = await enter(url, await guestToken(), { name });
  const { participant } = await calm.until('joined', ({ participant: { id } }) => id === long.id);
  expect(participant.name.length).toBeLessThanOrEqual(80);
  expect(participant.name).toMatch(/^شمس 👩‍👩‍👧‍👦/);
  expect(participant.name).toMatch(/(شمس|👩‍👩‍👧‍👦)$/);
  expect(participant.name).not.toContain('\u202E');
});

test('a client clock that is two hours off changes nothing, because the server uses its own', async () => {
  const [calm, off] = await three();
  const hand = new Date(Date.now() + 2 * 60 * 60 * 1000).toISOString();
  off.send({ type: 'media', media: { ...bothOn, hand } });
  const { participant } = await calm.until('changed', ({ participant: { id } }) => id === off.id);
  expect(Math.abs(Date.parse(participant.media.hand ?? '') - Date.now())).toBeLessThan(60_000);
});

test('the videos that a page displays are reported to their senders, and not to other rooms', async () => {
  const [calm, looking, other] = await three();
  const { id: elsewhere } = await ada.call(createRoom, { body: { topic: 'Elsewhere' } });
  const outside = await enter(url, await staffToken(elsewhere));
  looking.send({ type: 'watch', to: calm.id, camera: false, screen: true });
  looking.send({ type: 'watch', to: outside.id, camera: false, screen: false });
  expect(await calm.until('watched')).toMatchObject({
    from: looking.id,
    camera: false,
    screen: true,
  });
  await looking.settled();
  for (const page of [other, outside]) expect((await page.settled()).all('watched')).toEqual([]);
});

test('attack 28: a token is invalid in another room, and used twice it is still one person', async () => {
  const token = await guestToken();
  const first = await enter(url, token, { name: 'Bo' });
  const second = await enter(url, token, { name: 'Bo' });
  expect(await first.closed).toBe(closeCodes.replaced);
  expect(second.welcome.participants.length).toBe(1);
  const [head, body, signature] = token.split('.');
  const other = await ada.call(createRoom, { body: { topic: 'Elsewhere' } });
  const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, roomId: other.id })).toString('base64url');
  const refused = await refusedHello(url, { token: `${head}.${forged}.${signature}` });
  expect(refused).toBe(closeCodes.tokenRefused);
});

test('a page that sends only invalid data before its hello is disconnected', async () => {
  const client = await LiveClient.open(url);
  client.socket.send(Buffer.from([0, 159, 146, 150]), { binary: true });
  expect(await client.closed).toBe(closeCodes.badMessage);
});
