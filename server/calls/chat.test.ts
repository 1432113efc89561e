import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { readChat, updateCall } from '#domain/calls/contract.ts';
import { openRoom, readGuestLink } from '#domain/rooms/contract.ts';
import { enter, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

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
async function guestToken(): Promise<string> {
  const link = await ada.call(readGuestLink, { params: { id: started.room.id } });
  const token = link.url.split('/').at(-1);
  const { body } = await new Visitor(app).send('GET', `/api/join/${token}`);
  return (body as { meetingToken: string }).meetingToken;
}
const kept = () => ada.call(readChat, { params: { id: started.call.id } });

test('a message is stored with the call, then acknowledged, and delivered to all participants', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  cleo.send({ type: 'chat', id: 'one', text: 'Hello <b>Ada</b>' });
  await cleo.until('saved', ({ id }) => id === 'one');
  const heard = await adas.until('chat');
  expect(heard.message).toMatchObject({
    from: cleo.id,
    kind: 'guest',
    name: 'Cleo',
    text: 'Hello <b>Ada</b>',
  });
  expect((await cleo.until('chat')).message).toEqual(heard.message);
  expect(await kept()).toEqual([heard.message]);
});

test('a message sent again after a lost socket is stored once, and acknowledged again', async () => {
  const adas = await enter(url, await tokenOf(ada));
  adas.send({ type: 'chat', id: 'one', text: 'Once' });
  adas.send({ type: 'chat', id: 'one', text: 'Once' });
  adas.send({ type: 'chat', id: 'two', text: 'Then' });
  await adas.until('saved', ({ id }) => id === 'two');
  expect(adas.all('saved').map(({ id }) => id)).toEqual(['one', 'one', 'two']);
  expect((await kept()).map(({ text }) => text)).toEqual(['Once', 'Then']);
});

test('a participant who joins late or resumes requests the missed messages', async () => {
  const adas = await enter(url, await tokenOf(ada));
  for (const id of ['a', 'b', 'c']) adas.send({ type: 'chat', id, text: id });
  await adas.until('saved', ({ id }) => id === 'c');
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  cleo.send({ type: 'chat-since', after: null });
  const { messages } = await cleo.until('chat-history');
  expect(messages.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  cleo.send({ type: 'chat-since', after: messages[0]?.id ?? null });
  const since = await cleo.until('chat-history', ({ messages }) => messages.length < 3);
  expect(since.messages.map(({ text }) => text)).toEqual(['b', 'c']);
});

test('chat is for participants of the meeting: the preview, the panel and viewers cannot write', async () => {
  const viewer = await enter(url, await tokenOf(await newMember(app, ada, 'VIEWER')));
  viewer.send({ type: 'chat', id: 'v', text: 'I only look' });
  expect(await viewer.until('refused')).toMatchObject({ id: 'v', code: 'forbidden' });
  const panel = await enterPanel(url, await tokenOf(ada));
  panel.send({ type: 'chat', id: 'p', text: 'From the side' });
  panel.send({ type: 'ping', sequence: 0 });
  await panel.until('pong');
  expect(await kept()).toEqual([]);
});

test('an empty message or one of over 2000 characters closes the socket', async () => {
  for (const text of ['', 'x'.repeat(2001)]) {
    const page = await enter(url, await tokenOf(ada));
    page.send({ type: 'chat', id: 'x', text });
    expect(await page.closed).toBe(closeCodes.badMessage);
  }
});

test('without a running call a message is not stored, and its sender is told so', async () => {
  await ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });
  const page = await enter(url, await tokenOf(ada));
  page.send({ type: 'chat', id: 'x', text: 'Anybody?' });
  expect(await page.until('refused')).toMatchObject({ id: 'x', code: 'no_call' });
});

test('a reaction reaches all and is not stored; a raised hand is part of the participant', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  cleo.send({ type: 'react', reaction: '👏' });
  expect(await adas.until('reacted')).toMatchObject({ from: cleo.id, reaction: '👏' });
  const raisedAt = Date.now();
  const hand = new Date(raisedAt).toISOString();
  cleo.send({ type: 'media', media: { audio: true, video: true, hand } });
  const { participant } = await adas.until('changed', (one) => Boolean(one.participant.media.hand));
  expect(participant.id).toBe(cleo.id);
  expect(Date.parse(participant.media.hand ?? '')).toBeGreaterThanOrEqual(raisedAt);
});

test('another organization cannot read the chat', async () => {
  const eve = await newOrganization(app);
  const { status } = await eve.send('GET', `/api/calls/${started.call.id}/chat`);
  expect(status).toBe(404);
});

test('R32-C4: control characters of what is sent over the socket or by the API are not stored', async () => {
  const cleo = await enter(url, await guestToken(), { name: 'Cl\u0001eo' });
  cleo.send({ type: 'chat', id: 'one', text: 'Hello\u0002\n\u001fAda' });
  await cleo.until('saved', ({ id }) => id === 'one');
  expect(await kept()).toMatchObject([{ name: 'Cleo', text: 'Hello\nAda' }]);
  const notesSnapshot = 'Wants\u0003 a\tquote';
  const body = { notesSnapshot, endForEveryone: true };
  const call = await ada.call(updateCall, { params: { id: started.call.id }, body });
  expect(call.notesSnapshot).toBe('Wants a\tquote');
});

test('R32-C6: a page is told the newest messages that it missed, of a bounded length, and the call lists 200', async () => {
  await app.owner.query(
    `insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id, sent_at)
      select ('0000' || lpad(n::text, 4, '0') || '-0000-7000-8000-000000000000')::uuid, $1, $2,
        gen_random_uuid(), 'guest', 'Bo', n || repeat('語', 1990), n, now()
      from generate_series(1, 210) n`,
    [ada.user.orgId, started.call.id],
  );
  const cleo = await enter(url, await guestToken(), { name: 'Cleo' });
  const numbers = (messages: { text: string }[]) => messages.map(({ text }) => parseInt(text, 10));
  cleo.send({ type: 'chat-since', after: null });
  const { messages } = await cleo.until('chat-history');
  expect(numbers(messages)).toEqual(Array.from({ length: 50 }, (_, n) => 161 + n));
  const [, second] = await kept();
  cleo.send({ type: 'chat-since', after: second?.id ?? null });
  await cleo.until('chat-history', () => cleo.all('chat-history').length === 2);
  expect(numbers(cleo.all('chat-history')[1]?.messages ?? [])).toEqual(numbers(messages));
  expect(numbers(await kept())).toEqual(Array.from({ length: 200 }, (_, n) => 11 + n));
});
