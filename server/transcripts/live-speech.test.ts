import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes, notCapturedCode, tryAgainLater } from '#domain/calls/close-codes.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { participantId } from '#domain/ids.ts';
import { openRoom, readGuestLink } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { enter, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  answer,
  captureTranscript,
  recordings,
  SpeechClient,
  stopTranscript,
} from '#server/testing/speech-client.ts';
import { SpeechStandIn } from '#server/testing/speech-stand-in.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

const [first, second] = ['We will send the offer by Friday.', 'Please call me back tomorrow.'];

let app: TestApp;
let url: string;
let standIn: SpeechStandIn;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  standIn = await new SpeechStandIn().open();
  app = await openTestApp({
    SPEECH_PROVIDER: 'openai-compatible',
    SPEECH_URL: standIn.url,
    SPEECH_KEY: standIn.key,
  });
  url = await app.listen();
});
beforeEach(async () => {
  standIn.heard.length = 0;
  standIn.next.length = 0;
  standIn.say = ({ samples }) => (samples.length < 42_000 ? first : second);
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});

const tokenOf = async (visitor: Visitor) =>
  (await visitor.call(openRoom, { params: { id: started.room.id } })).meetingToken;
async function guestToken(): Promise<string> {
  const link = await ada.call(readGuestLink, { params: { id: started.room.id } });
  const token = link.url.split('/').at(-1);
  const { body } = await new Visitor(app).send('GET', `/api/join/${token}`);
  return (body as { meetingToken: string }).meetingToken;
}
const lines = async () => {
  const { rows } = await app.owner.query(
    'select name, participant_id, participant_kind, account_id, text, start_ms, end_ms from transcript_lines where call_id = $1 order by start_ms',
    [started.call.id],
  );
  return rows;
};
const speak = async (token: string) => {
  const client = new SpeechClient(url);
  expect(await client.hello(token)).toBe('ready');
  return client;
};

test('what two people say becomes lines under their own names, and captions on all pages', async () => {
  const [adas, cleos] = [await tokenOf(ada), await guestToken()];
  const page = await enter(url, adas);
  const guest = await enter(url, cleos, { name: 'Cleo' });
  const panel = await enterPanel(url, adas);
  await captureTranscript(app, started.call, page.id, guest.id);
  (await speak(adas)).play(recordings.speech, 2000);
  (await speak(cleos)).play(recordings.speech);
  for (const heard of [page, guest]) {
    await expect.poll(() => heard.all('caption').length, { timeout: 15_000 }).toBe(4);
  }
  const captions = page.all('caption').map(({ line }) => line);
  await expect.poll(() => panel.all('transcribed').length).toBe(4);
  const heard = panel.all('transcribed').reduce((sum, { characters }) => sum + characters, 0);
  expect(heard).toBe(captions.reduce((sum, { text }) => sum + text.length, 0));
  expect(panel.all('caption'), 'a panel learns no text').toEqual([]);
  for (const [id, name] of [
    [page.id, 'First1 Last1'],
    [guest.id, 'Cleo'],
  ]) {
    const said = captions.filter(({ participantId }) => participantId === id);
    expect(said.map((line) => line.text).toSorted()).toEqual([second, first].toSorted());
    expect(said.map((line) => line.name)).toEqual([name, name]);
  }
  const stored = await lines();
  expect(stored).toHaveLength(4);
  expect(stored.find(({ name }) => name === 'Cleo')).toMatchObject({
    participant_kind: 'guest',
    account_id: null,
  });
  const [own] = stored.filter(({ participant_id: id }) => id === page.id);
  expect(own).toMatchObject({ account_id: ada.user.id, text: first });
  expect(own.end_ms - own.start_ms).toBeGreaterThan(1500);
});

test('a socket without consent is refused, and nothing of it is sent to the service', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  const refused = () => new SpeechClient(url).hello(token);
  expect(await refused()).toBe(notCapturedCode);
  await captureTranscript(app, started.call);
  expect(await refused()).toBe(notCapturedCode);
  await answer(app, started.call, page.id, true);
  await answer(app, started.call, page.id, false);
  expect(await refused()).toBe(notCapturedCode);
  expect(await new SpeechClient(url).hello('forged')).toBe(closeCodes.tokenRefused);
  const bad = new SpeechClient(url);
  expect(await bad.hello('')).toBe(closeCodes.tokenRefused);
  expect(standIn.heard).toEqual([]);
  expect(await lines()).toEqual([]);
});

test('R19-63: who has not joined the call, or has left it, is not heard', async () => {
  // The call goes on without the guest.
  await enter(url, await tokenOf(ada));
  const [outside, inside] = [await guestToken(), await guestToken()];
  const guest = await enter(url, inside, { name: 'Cleo' });
  const preview = participantId.parse(JSON.parse(atob(outside.split('.')[1] ?? '')).participantId);
  await captureTranscript(app, started.call, guest.id, preview);
  expect(await new SpeechClient(url).hello(outside)).toBe(tryAgainLater);
  const client = await speak(inside);
  guest.send({ type: 'leave' });
  expect(await client.closed).toBe(tryAgainLater);
  expect(await new SpeechClient(url).hello(inside)).toBe(tryAgainLater);
});

test('R19-56: hellos have a rate, by session and account', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const config = { ...app.services.config, RATE_LIMIT_SCALE: 0.1 };
  const http = await buildApp({ ...app.services, config }, { pagesDir: null });
  const limited = await http.listen({ port: 0, host: '127.0.0.1' });
  try {
    const codes: unknown[] = [];
    for (let hello = 0; hello < 20 && codes.at(-1) !== tryAgainLater; hello += 1)
      codes.push(await new SpeechClient(limited).hello(token));
    expect(codes.slice(0, 6)).toEqual(Array(6).fill('ready'));
    expect(codes.at(-1)).toBe(tryAgainLater);
  } finally {
    await http.close();
  }
});

test('R19-71: a message that is longer than it may be is not kept until it is complete', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const client = await speak(token);
  // The first of several fragments.
  for (let sent = 0; sent < 4; sent += 1)
    client.socket.send(Buffer.alloc(16 * 1024), { binary: true, fin: false });
  expect(await client.closed).toBe(closeCodes.flooding);
});

test('R20-51: slices without sound count, too', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const client = await speak(token);
  client.say({ type: 'begin', ageMs: 0 });
  for (let sent = 0; sent < 300; sent += 1) client.socket.send(Buffer.alloc(0), { binary: true });
  expect(await client.closed).toBe(closeCodes.flooding);
});

test('R19-57: many changes share a look-up of a speaker, and those of a recording need none', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  const { database, revocations } = app.services;
  let told = 0;
  const stop = revocations.subscribe((revocation) => {
    if (revocation.kind === 'capture' && revocation.callId === started.call.id) told += 1;
  });
  await captureTranscript(app, started.call, page.id);
  await app.owner.query(
    `insert into captures (id, org_id, call_id, kind)
      select gen_random_uuid(), org_id, id, 'recording' from calls where id = $1`,
    [started.call.id],
  );
  const client = await speak(token);
  const { connection } = database;
  const release = Promise.withResolvers<void>();
  let statements = 0;
  const counting = vi
    .spyOn(database, 'connection')
    .mockImplementation(async (tenant, use, turn) => {
      if (turn?.isUrgent && turn.actorKey === ada.user.id) statements += 1;
      if (turn?.isUrgent) await release.promise;
      return connection(tenant, use, turn);
    });
  const change = (kind: string) =>
    app.owner.query('update captures set stopped_at = null where call_id = $1 and kind = $2', [
      started.call.id,
      kind,
    ]);
  try {
    await change('recording');
    await change('transcript');
    await expect.poll(() => statements).toBe(1);
    for (let count = 0; count < 9; count += 1) await change('transcript');
    // The first one is its beginning, which may be heard late.
    await expect.poll(() => told).toBe(11);
    expect(statements).toBe(1);
    release.resolve();
    // Two statements of the look-up that had begun, and two of the one that waited.
    await expect.poll(() => statements).toBe(4);
  } finally {
    release.resolve();
    counting.mockRestore();
    stop();
  }
  await answer(app, started.call, page.id, false);
  expect(await client.closed).toBe(notCapturedCode);
});

test('withdrawing ends the capture, and what is being recognized is thrown away', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  standIn.next.push('hang', 'hang');
  const client = await speak(token);
  client.play(recordings.speech);
  await expect.poll(() => standIn.heard.length, { timeout: 15_000 }).toBe(2);
  await answer(app, started.call, page.id, false);
  expect(await client.closed).toBe(notCapturedCode);
  standIn.answerHanging();
  await page.settled();
  expect(await lines()).toEqual([]);
  expect(page.all('caption')).toEqual([]);
});

test('stopping the transcript ends the sockets of its call, and of no other', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const mine = await speak(token);
  const eve = await newOrganization(app);
  const other = await runningCall(eve);
  const { meetingToken } = await eve.call(openRoom, { params: { id: other.room.id } });
  const herPage = await enter(url, meetingToken);
  await captureTranscript(app, other.call, herPage.id);
  const hers = await speak(meetingToken);
  await stopTranscript(app, started.call);
  expect(await mine.closed).toBe(notCapturedCode);
  expect(hers.socket.readyState).toBe(hers.socket.OPEN);
  expect(await new SpeechClient(url).hello(token)).toBe(notCapturedCode);
});

test('ending the call stores what was said before', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const client = await speak(token);
  client.play(recordings.speech);
  await expect.poll(() => standIn.heard.length, { timeout: 15_000 }).toBe(2);
  await ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });
  await client.closed;
  await expect.poll(async () => (await lines()).length).toBe(2);
});

test('of an organization four phrases are recognized at a time, and others have their turns', async () => {
  const guests = await Promise.all([1, 2, 3, 4].map(() => guestToken()));
  const pages = await Promise.all(guests.map((token) => enter(url, token)));
  await captureTranscript(app, started.call, ...pages.map(({ id }) => id));
  const clients = await Promise.all(guests.map(speak));
  standIn.next.push('hang', 'hang', 'hang', 'hang');
  for (const client of clients) client.play(recordings.speech);
  await expect.poll(() => standIn.heard.length, { timeout: 15_000 }).toBe(4);
  // The next answer is for the others: all that may be asked for the first ones are hanging.
  ada = await newOrganization(app);
  started = await runningCall(ada);
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  (await speak(token)).play(recordings.speech);
  await expect.poll(() => page.all('caption').length, { timeout: 15_000 }).toBe(2);
  expect(standIn.heard).toHaveLength(6);
  expect(pages.flatMap((one) => one.all('caption'))).toEqual([]);
  standIn.answerHanging();
  await expect.poll(() => pages[0]?.all('caption').length, { timeout: 15_000 }).toBe(8);
});

test('noise and what models write about silence become no lines', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const client = await speak(token);
  client.play(recordings.noise);
  standIn.say = () => ' You';
  client.play(recordings.speech);
  await expect.poll(() => standIn.heard.length, { timeout: 15_000 }).toBe(2);
  await page.settled();
  expect(await lines()).toEqual([]);
});

test('while the service fails, pages are told, phrases are counted as missing, and the call goes on', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const client = await speak(token);
  const html = { status: 200, type: 'text/html', body: '<h1>Gateway</h1>' };
  standIn.next.push(html, html);
  client.play(recordings.speech);
  await page.until('captions-state', ({ isWorking }) => !isWorking);
  await expect
    .poll(async () => {
      const { rows } = await app.owner.query(
        'select phrases, failure from transcript_gaps where call_id = $1',
        [started.call.id],
      );
      return rows;
    })
    .toEqual([{ phrases: 2, failure: 'malformed' }]);
  // One failure that passes is tried again.
  standIn.next.push({ status: 500, body: '{}' });
  client.play(recordings.speech);
  await page.until('captions-state', ({ isWorking }) => isWorking);
  await expect.poll(async () => (await lines()).length, { timeout: 10_000 }).toBe(2);
});

test('a participant has one socket: a second one ends the first', async () => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const before = await speak(token);
  const after = await speak(token);
  expect(await before.closed).toBe(closeCodes.replaced);
  expect(after.socket.readyState).toBe(after.socket.OPEN);
});

test.each([
  [
    'more sound than a microphone makes',
    closeCodes.flooding,
    (client: SpeechClient) => {
      client.say({ type: 'begin', ageMs: 0 });
      for (let sent = 0; sent < 20; sent += 1) client.socket.send(new Uint8Array(30_000));
    },
  ],
  [
    'sound without an announcement',
    closeCodes.badMessage,
    (client: SpeechClient) => client.socket.send(new Uint8Array(100)),
  ],
  [
    'a message of another protocol',
    closeCodes.badMessage,
    (client: SpeechClient) => client.say({ type: 'note', id: randomUUID() }),
  ],
  [
    'bytes that are no recording',
    1013,
    (client: SpeechClient) => client.play(new Uint8Array(4000).fill(9)),
  ],
])('%s ends the socket alone', async (_, code, send) => {
  const token = await tokenOf(ada);
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  const client = await speak(token);
  send(client);
  expect(await client.closed).toBe(code);
  await page.settled();
});
