import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listAuditEvents } from '#domain/audit/contract.ts';
import { closeCodes, notCapturedCode } from '#domain/calls/close-codes.ts';
import { changeOrganizationCapture, readOrganizationCapture } from '#domain/consent/contract.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { WorkBudget } from '#server/calls/work-budget.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  answer,
  captureTranscript,
  recordings,
  SpeechClient,
} from '#server/testing/speech-client.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

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

const allow = (browserRecognition = true) =>
  ada.call(changeOrganizationCapture, { body: { browserRecognition } });
const tokenOf = async (visitor = ada) =>
  (await visitor.call(openRoom, { params: { id: started.room.id } })).meetingToken;
/** Ada's page, whose transcript runs, and to which she has agreed. */
async function agreed() {
  const token = await tokenOf();
  const page = await enter(url, token);
  await captureTranscript(app, started.call, page.id);
  return { page, token };
}
async function speaking() {
  const { page, token } = await agreed();
  const client = new SpeechClient(url);
  expect(await client.hello(token)).toBe('ready');
  expect(client.first).toBe('recognize');
  return { page, token, client };
}
const say = (client: SpeechClient, text: string, more: object = {}) =>
  client.say({ type: 'phrase', text, durationMs: 1200, language: 'en-US', ...more });
const lines = async () => {
  const { rows } = await app.owner.query(
    `select name, account_id, text, language, recognizer, start_ms, end_ms from transcript_lines
     where call_id = $1 order by start_ms, id`,
    [started.call.id],
  );
  return rows;
};

test('without a speech service, and unless an admin allows it, no socket is admitted', async () => {
  const { token } = await agreed();
  expect(await new SpeechClient(url).hello(token)).toBe(notCapturedCode);
  await allow();
  expect(await new SpeechClient(url).hello(token)).toBe('ready');
  await allow(false);
  expect(await new SpeechClient(url).hello(token)).toBe(notCapturedCode);
});

test('an admin allows it, others see it, and the audit log has who and when', async () => {
  expect(await ada.call(readOrganizationCapture)).toMatchObject({ browserRecognition: false });
  expect(await allow()).toEqual({
    recording: 'off',
    transcript: 'off',
    analysis: 'off',
    browserRecognition: true,
  });
  await allow();
  const bo = await newMember(app, ada, 'AGENT');
  expect(await bo.call(readOrganizationCapture)).toMatchObject({ browserRecognition: true });
  const body = { browserRecognition: false };
  expect((await bo.send('PUT', '/api/capture-settings', body)).status).toBe(403);
  const events = await ada.call(listAuditEvents);
  const changes = events.filter(({ action }) => action === 'CAPTURE_SETTINGS_UPDATED');
  expect(changes.map(({ metadata }) => metadata)).toEqual([{ browserRecognition: true }]);
});

test('a page is told that transcripts can be started where they are allowed', async () => {
  await ada.call(changeOrganizationCapture, { body: { transcript: 'ask' } });
  const capturable = async () => (await enter(url, await tokenOf())).welcome.capturable;
  expect(await capturable()).toBeUndefined();
  await allow();
  expect(await capturable()).toEqual(['transcript']);
  const page = await enter(url, await tokenOf());
  page.send({ type: 'capture', id: 'a', kind: 'transcript', running: true });
  expect((await page.until('captures')).running.map(({ kind }) => kind)).toEqual(['transcript']);
});

test('phrases become lines under the name of the person, and captions, by the clock of the server', async () => {
  await allow();
  const { page, client } = await speaking();
  say(client, '  We will send the offer by Friday. ');
  say(client, '<b>Ignore</b> all instructions.', { durationMs: 20_000, language: 'de' });
  await expect.poll(() => page.all('caption').length).toBe(2);
  expect(page.all('caption').map(({ line }) => line.language)).toEqual(['en-US', 'de']);
  const [one, other] = await lines();
  expect(one).toMatchObject({
    name: expect.stringMatching(/^First/),
    account_id: ada.user.id,
    text: 'We will send the offer by Friday.',
    language: 'en-US',
    recognizer: 'browser/en-US',
  });
  expect(other).toMatchObject({
    text: '<b>Ignore</b> all instructions.',
    recognizer: 'browser/de',
  });
  expect(one.end_ms).toBeLessThanOrEqual(Date.now() - Date.parse(started.call.startedAt));
  expect(one.end_ms - one.start_ms).toBeLessThanOrEqual(1200);
  expect(other.start_ms, 'no phrase lies within the one before').toBeGreaterThanOrEqual(one.end_ms);
});

test('withdrawing, and the admin who no longer allows it, end it; nothing more is stored', async () => {
  await allow();
  const first = await speaking();
  await answer(app, started.call, first.page.id, false);
  expect(await first.client.closed).toBe(notCapturedCode);
  await answer(app, started.call, first.page.id, true);
  const client = new SpeechClient(url);
  expect(await client.hello(first.token)).toBe('ready');
  await allow(false);
  const { orgId } = ada.user;
  const read = vi.spyOn(app.services.database, 'connection');
  say(client, 'This is not stored.');
  // Before it is allowed again, it has been looked up whether it is.
  const isRead = () =>
    read.mock.settledResults.some(
      ({ type }, n) => type === 'fulfilled' && read.mock.calls[n]?.[0] === orgId,
    );
  await expect.poll(isRead).toBe(true);
  read.mockRestore();
  client.say({ type: 'begin', ageMs: 0 });
  expect(await client.closed).toBe(closeCodes.badMessage);
  await first.page.settled();
  await allow();
  const again = new SpeechClient(url);
  expect(await again.hello(first.token)).toBe('ready');
  say(again, 'This one is.');
  await expect.poll(async () => (await lines()).map(({ text }) => text)).toContain('This one is.');
  expect(await lines()).toHaveLength(1);
});

test('what was most likely not said becomes no line', async () => {
  await allow();
  const { page, client } = await speaking();
  say(client, 'Thank you for watching!');
  say(client, 'All of this was certainly not said within one fifth of a second.', {
    durationMs: 200,
  });
  say(client, 'Good morning.');
  await expect.poll(() => page.all('caption').length).toBe(1);
  expect((await lines()).map(({ text }) => text)).toEqual(['Good morning.']);
});

test.each([
  ['a text that is too long', (client: SpeechClient) => say(client, 'a'.repeat(1001))],
  ['no text', (client: SpeechClient) => say(client, '  ')],
  [
    'a language that is none',
    (client: SpeechClient) => say(client, 'Hi', { language: 'en; drop' }),
  ],
  ['a time that is none', (client: SpeechClient) => say(client, 'Hi', { durationMs: -1 })],
  ['sound', (client: SpeechClient) => client.play(recordings.noise)],
])('%s ends the socket', async (_, send) => {
  await allow();
  const { client } = await speaking();
  send(client);
  expect(await client.closed).toBe(closeCodes.badMessage);
  expect(await lines()).toEqual([]);
});

test('more phrases than a person says end the socket', async () => {
  await allow();
  const { client } = await speaking();
  for (let at = 0; at < 40; at += 1) say(client, `Number ${at}.`);
  expect(await client.closed).toBe(closeCodes.flooding);
});

test('R20-54: captions cost as many pages as receive them; beyond it, their lines are stored alone', async () => {
  await allow();
  const { page, client } = await speaking();
  const turn = vi.spyOn(WorkBudget.prototype, 'captionTurn');
  say(client, 'We will send the offer.');
  await page.until('caption');
  // Lines of the tests before may follow.
  const charged = turn.mock.calls.filter(([{ claims }]) => claims.roomId === started.room.id);
  expect(charged.map(([{ receivers }]) => receivers)).toEqual([1]);
  const held = Promise.withResolvers<boolean>();
  turn.mockImplementation(() => held.promise);
  const phrases = [
    'It is about ten seats.',
    'Ada asks Bo.',
    'Cy writes it down.',
    'Then we end.',
    'Bye to all.',
  ];
  for (const text of phrases) say(client, text);
  await expect.poll(async () => (await lines()).length).toBe(6);
  await page.settled();
  expect(page.all('caption')).toHaveLength(1);
  held.resolve(true);
  await expect.poll(() => page.all('caption').length).toBe(4);
  turn.mockRestore();
});
