import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import type { ToServer } from '#domain/calls/live.ts';
import type { CaptureMode } from '#domain/consent/capture.ts';
import {
  changeOrganizationCapture,
  changeRoomCapture,
  listConsents,
  readRoomCapture,
} from '#domain/consent/contract.ts';
import { questionVersion } from '#domain/consent/question.ts';
import { callId, orgId as orgIdSchema, participantId, roomId } from '#domain/ids.ts';
import { buildApp } from '#server/app.ts';
import { tenantOf } from '#server/platform/access.ts';
import { type Entered, enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { bothOn, guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';
import { mayCapture } from './agreed.ts';
import { answerConsent } from './answer.ts';

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

const orgId = () => ada.user.orgId ?? orgIdSchema.parse('');
const roomOf = () => ({ id: started.room.id });
const setMode = (recording: CaptureMode) =>
  ada.call(changeRoomCapture, { params: roomOf(), body: { recording } });
const host = async () => enter(url, await staffTokenOf(ada, started.room.id));
const guestToken = () => guestTokenOf(app, ada, started.room.id);
const cleo = async () => enter(url, await guestToken(), { name: 'Cleo' });

type Answer = Extract<ToServer, { type: 'consent' }>;
const answer = (agrees: boolean, changed: Partial<Answer> = {}): Answer => ({
  type: 'consent',
  id: crypto.randomUUID(),
  asked: ['recording'],
  agreed: agrees ? ['recording'] : [],
  questionVersion,
  language: 'en',
  ...changed,
});
async function say(page: Entered, message: Answer) {
  page.send(message);
  return page.until('saved', ({ id }) => id === message.id);
}
async function record(page: Entered, running = true) {
  page.send({ type: 'capture', id: crypto.randomUUID(), kind: 'recording', running });
  return page.until('captures', (state) => state.running.length === (running ? 1 : 0));
}
const system = () =>
  tenantOf(app.services.database, { kind: 'system', name: 'test', orgId: orgId() }, null);
const may = (page: { id: string }) =>
  system().connection((at) =>
    mayCapture(at, started.call.id, participantId.parse(page.id), 'recording'),
  );
const storeWords = (participant: string, account: string | null = null) =>
  app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, account_id, name,
        start_ms, end_ms, text, recognizer)
      values (gen_random_uuid(), $1, $2, $3, $5, $4, 'Ada', 0, 900, 'words', 'test')`,
    [orgId(), started.call.id, participant, account, account ? 'staff' : 'guest'],
  );
const receipts = () => ada.call(listConsents, { params: { id: started.call.id } });

test('nothing of a participant may be captured before the capture runs and they have agreed to it', async () => {
  await setMode('ask');
  const [adas, cleos] = [await host(), await cleo()];
  expect(adas.welcome).toMatchObject({ capturable: ['recording'] });
  expect([await may(adas), await may(cleos)]).toEqual([false, false]);
  await record(adas);
  const told = await cleos.until('captures');
  expect(told).toMatchObject({ callId: started.call.id, running: [{ kind: 'recording' }] });
  expect([await may(adas), await may(cleos)]).toEqual([false, false]);
  await say(cleos, answer(true));
  expect([await may(adas), await may(cleos)]).toEqual([false, true]);
  const { participant } = await adas.until(
    'changed',
    (one) => one.participant.consent !== undefined,
  );
  expect(participant).toMatchObject({ name: 'Cleo', consent: { agreed: ['recording'] } });
  await record(adas, false);
  expect(await may(cleos)).toBe(false);
});

test('declining and withdrawing count at once, and every answer is a receipt with its text', async () => {
  await setMode('ask');
  const [adas, cleos] = [await host(), await cleo()];
  await record(adas);
  await say(adas, answer(false));
  await say(cleos, answer(true, { language: 'de' }));
  const withdrawal = answer(false);
  await say(cleos, withdrawal);
  // The page did not hear the answer, and sends both again.
  cleos.send(withdrawal);
  await cleos.settled();
  expect([await may(adas), await may(cleos)]).toEqual([false, false]);
  const list = await receipts();
  expect(list.map(({ name, agreed, language }) => [name, agreed, language])).toEqual([
    ['Cleo', [], 'en'],
    ['Cleo', ['recording'], 'de'],
    [expect.any(String), [], 'en'],
  ]);
  expect(list[1]?.question).toMatch(/^Darf .+ Sie in diesem Gespräch aufzeichnen\?\n/);
  expect(list[1]).toMatchObject({ questionVersion, participantId: cleos.id, kind: 'guest' });
});

test('a withdrawal deletes what was captured, and under legal hold the person is told that it waits', async () => {
  await setMode('ask');
  const [adas, cleos] = [await host(), await cleo()];
  await record(adas);
  await say(cleos, answer(true));
  const tracks = async () => {
    const { rows } = await app.owner.query(
      'select count(*)::int as n from recorded_tracks where call_id = $1',
      [started.call.id],
    );
    return rows[0].n;
  };
  await app.owner.query(
    `insert into recorded_tracks (id, org_id, call_id, participant_id, participant_kind, name, source)
      values (gen_random_uuid(), $1, $2, $3, 'guest', 'Cleo', 'camera')`,
    [orgId(), started.call.id, cleos.id],
  );
  await app.owner.query(
    `insert into legal_holds (call_id, org_id, reason) values ($1, $2, 'Dispute')`,
    [started.call.id, orgId()],
  );
  expect(await say(cleos, answer(false, { discard: true }))).toMatchObject({ held: true });
  expect(await tracks()).toBe(1);
  await app.owner.query('delete from legal_holds where call_id = $1', [started.call.id]);
  const { held } = await say(cleos, answer(false, { discard: true }));
  expect([held, await tracks()]).toEqual([undefined, 0]);
});

test('a guest is asked in the preview, answers by the meeting token, and joins with the answer', async () => {
  await setMode('start');
  const token = await guestToken();
  const preview = await hello(url, token);
  expect(await preview.until('waiting')).toMatchObject({ asks: ['recording'] });
  preview.send(answer(true, { name: 'Cleo' }));
  await preview.until('waiting', ({ consent }) => consent?.agreed[0] === 'recording');
  const cleos = await enter(url, token, { name: 'Cleo' });
  // The first person in the call starts it, and with it the recording.
  await cleos.until('captures', ({ running }) => running[0]?.kind === 'recording');
  expect(await may(cleos)).toBe(true);
  const adas = await host();
  expect(adas.welcome.captures?.running).toMatchObject([{ kind: 'recording' }]);
  expect(adas.welcome.participants.find(({ id }) => id === cleos.id)?.consent).toEqual({
    asked: ['recording'],
    agreed: ['recording'],
  });
  expect((await receipts()).map(({ name }) => name)).toEqual(['Cleo']);
});

test('what starts with a call starts once, survives a reconnect, and ends with the call', async () => {
  await setMode('start');
  const adas = await host();
  await adas.until('captures', ({ running }) => running.length === 1);
  await say(adas, answer(true));
  await adas.drop();
  const again = await enter(url, adas.welcome.token);
  expect(again.welcome.captures?.running).toHaveLength(1);
  const self = again.welcome.participants.find(({ id }) => id === again.id);
  expect(self?.consent).toEqual({ asked: ['recording'], agreed: ['recording'] });
  await record(again, false);
  const cleos = await cleo();
  expect(cleos.welcome.captures?.running).toEqual([]);
  await cleos.settled();
  expect(cleos.all('captures')).toEqual([]);
  await record(again);
  await ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });
  const { rows } = await app.owner.query(
    'select stopped_at from captures where call_id = $1 order by id',
    [started.call.id],
  );
  expect(rows.map((row) => row.stopped_at !== null)).toEqual([true, true]);
});

/** Closes a page, as a reload does, and waits until its attendance has ended. */
async function leave(page: Entered) {
  page.socket.close(1001);
  await vi.waitFor(async () => {
    const { rows } = await app.owner.query('select left_at from attendances where id = $1', [
      page.id,
    ]);
    expect(rows).toEqual([{ left_at: expect.any(Date) }]);
  });
}

test('a member who reloads keeps their answer, also a refusal, and each receipt says which it continues', async () => {
  await setMode('ask');
  const token = () => staffTokenOf(ada, started.room.id);
  const first = await enter(url, await token());
  await record(first);
  await say(first, answer(true));
  await leave(first);
  const second = await enter(url, await token());
  const own = (page: Entered) =>
    page.welcome.participants.find(({ id }) => id === page.id)?.consent;
  expect(second.id).not.toBe(first.id);
  expect(own(second)).toEqual({ asked: ['recording'], agreed: ['recording'] });
  expect(await may(second)).toBe(true);
  await say(second, answer(false));
  await leave(second);
  const third = await enter(url, await token());
  expect(own(third)).toEqual({ asked: ['recording'], agreed: [] });
  expect(await may(third)).toBe(false);
  const { rows } = await app.owner.query(
    'select id, participant_id, continues from consents where call_id = $1 order by id',
    [started.call.id],
  );
  const people = [first, second, second, first, third].map(({ id }) => id);
  expect(rows.map((row) => row.participant_id)).toEqual(people);
  // The withdrawal is also one of the page before, which may still send what it recorded.
  expect(rows.map((row) => row.continues)).toEqual([null, rows[0].id, null, null, rows[2].id]);
});

test('nobody continues the answer of another person, of an open page, or of another call', async () => {
  await setMode('ask');
  const [adas, cleos] = [await host(), await cleo()];
  await record(adas);
  await say(adas, answer(true));
  await say(cleos, answer(true));
  const bob = await newMember(app, ada, 'AGENT');
  const asked = async (page: Promise<Entered>) => !(await may(await page));
  const staff = async (of: typeof ada) => enter(url, await staffTokenOf(of, started.room.id));
  expect(await asked(staff(ada)), 'the first page is open').toBe(true);
  await leave(cleos);
  expect(await asked(cleo()), 'a guest of the same name').toBe(true);
  await leave(adas);
  expect(await asked(staff(bob)), 'a colleague').toBe(true);
  await ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });
  started = await runningCall(ada);
  await setMode('start');
  expect(await asked(host()), 'another call').toBe(true);
});

test('R28-A9: a withdrawal that is being stored is not undone by the page that follows', async () => {
  await setMode('ask');
  const token = await staffTokenOf(ada, started.room.id);
  const first = await enter(url, token);
  await record(first);
  await say(first, answer(true));
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = system().transaction(async ({ run }) => {
    const text = 'select from calls where id = $1 for no key update';
    await run({ name: 'lock_call_of_test', text }, [started.call.id]);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  first.send(answer(false, { discard: true }));
  await vi.waitFor(async () => expect(await receipts()).toHaveLength(2));
  const left = { token, session: first.welcome.session };
  expect((await ada.send('POST', '/api/meetings/leave', left)).status).toBe(204);
  const following = await host();
  expect(await may(following)).toBe(false);
  released.resolve();
  await slow;
});

/** A member who agrees, and reloads their page twice: the last one may record. */
async function pagesThatContinue() {
  await setMode('ask');
  const first = await host();
  await record(first);
  await say(first, answer(true));
  await leave(first);
  const second = await host();
  await leave(second);
  const third = await host();
  expect(await may(third)).toBe(true);
  return [first, second, third] as const;
}

test('R28-A9: a withdrawal that arrives late counts for the pages that continued the agreement', async () => {
  const [first, , third] = await pagesThatContinue();
  const who = {
    ...{ roomId: roomId.parse(started.room.id), callId: callId.parse(started.call.id) },
    ...{ participantId: participantId.parse(first.id), kind: 'staff' as const, name: 'Ada' },
    ...{ organization: 'Acme', how: 'alone' as const },
  };
  const { type: _, ...late } = answer(false);
  await answerConsent(system(), who, late);
  expect(await may(third)).toBe(false);
});

test('R29-A3: a withdrawal counts for the pages before a reload, too', async () => {
  const [, , third] = await pagesThatContinue();
  await say(third, answer(false));
  const { rows } = await app.owner.query(
    `select distinct on (participant_id) agreed from consents where call_id = $1
      order by participant_id, id desc`,
    [started.call.id],
  );
  expect(rows).toEqual(Array(3).fill({ agreed: [] }));
});

test('a member who withdraws has deleted what was captured before they reloaded, too', async () => {
  await setMode('ask');
  const first = await host();
  await record(first);
  await say(first, answer(true));
  await storeWords(first.id, ada.user.id);
  const bob = await newMember(app, ada, 'AGENT');
  await storeWords(crypto.randomUUID(), bob.user.id);
  await leave(first);
  const second = await host();
  await say(second, answer(false, { discard: true }));
  const { rows } = await app.owner.query(
    'select account_id from transcript_lines where call_id = $1',
    [started.call.id],
  );
  expect(rows).toEqual([{ account_id: bob.user.id }]);
});

test('R29-A6: a guest who withdraws has deleted what was captured in their former tab, too', async () => {
  await setMode('ask');
  const adas = await host();
  await record(adas);
  const [former, other, now] = [await cleo(), await cleo(), await cleo()];
  const sameBrowser = () =>
    app.owner.query('update attendances set browser_id = $2 where id = any ($1)', [
      ...[[former.id, now.id], orgId()],
    ]);
  await expect.poll(async () => (await sameBrowser()).rowCount).toBe(2);
  for (const { id } of [former, other]) await storeWords(id);
  await say(now, answer(false, { discard: true }));
  const { rows } = await app.owner.query(
    'select participant_id as id from transcript_lines where call_id = $1',
    [started.call.id],
  );
  expect(rows).toEqual([{ id: other.id }]);
});

test('who may not edit calls starts nothing, nor does anyone in a room where it is off', async () => {
  const order: ToServer = { type: 'capture', id: 'c', kind: 'recording', running: true };
  const adas = await host();
  adas.send(order);
  expect(await adas.until('refused')).toMatchObject({ id: 'c', code: 'capture_off' });
  await setMode('ask');
  const viewer = await newMember(app, ada, 'VIEWER');
  const pages = [await enter(url, await staffTokenOf(viewer, started.room.id)), await cleo()];
  for (const page of pages) {
    page.send(order);
    expect(await page.until('refused')).toMatchObject({ id: 'c', code: 'forbidden' });
  }
  expect((await adas.settled()).all('captures')).toEqual([]);
});

test('a room follows its organization until it has a mode of its own, and the change is an event', async () => {
  await ada.call(changeOrganizationCapture, { body: { recording: 'start' } });
  const preview = async () =>
    (await enter(url, await staffTokenOf(ada, started.room.id), { media: undefined })).welcome;
  expect(await preview()).toMatchObject({ asks: ['recording'] });
  await setMode('off');
  const settings = await ada.call(readRoomCapture, { params: roomOf() });
  expect([settings.own.recording, settings.organization.recording]).toEqual(['off', 'start']);
  const { asks, capturable } = await preview();
  expect([asks, capturable]).toEqual([undefined, undefined]);
  const { rows } = await app.owner.query(
    `select entity, metadata from audit_events where org_id = $1 and action = 'CAPTURE_SETTINGS_UPDATED'
      order by id`,
    [orgId()],
  );
  expect(rows.map(({ entity }) => entity)).toEqual(['organization', 'room']);
  expect(rows[0].metadata).toEqual({ modes: { recording: { from: 'off', to: 'start' } } });
});

test('another organization reads no receipts, and exports only its own', async () => {
  await setMode('ask');
  await say(await cleo(), answer(true));
  const eve = await newOrganization(app);
  expect((await eve.send('GET', `/api/calls/${started.call.id}/consents`)).status).toBe(404);
  const lines = async (visitor: typeof ada) =>
    String((await visitor.send('GET', '/api/consents/export')).body)
      .trim()
      .split('\r\n');
  expect(await lines(eve)).toHaveLength(1);
  expect((await lines(ada)).join('\n')).toContain('Cleo');
});

test('an answer to a question that has changed is refused, and nobody answers without end', async () => {
  await setMode('ask');
  const cleos = await cleo();
  cleos.send(answer(true, { id: 'old', questionVersion: questionVersion + 1 }));
  expect(await cleos.until('refused')).toMatchObject({ id: 'old', code: 'question_outdated' });
  await app.owner.query(
    `insert into consents (id, org_id, room_id, participant_id, participant_kind, name, asked, agreed, question,
        question_version, language, client_id)
      select gen_random_uuid(), $1, $2, $3, 'guest', 'Cleo', '{recording}', '{}', '', 1, 'en', n::text
      from generate_series(1, 100) n`,
    [orgId(), started.room.id, cleos.id],
  );
  cleos.send(answer(true, { id: 'much' }));
  expect(await cleos.until('refused', ({ id }) => id === 'much')).toMatchObject({
    code: 'too_many_answers',
  });
  expect(await say(cleos, answer(false))).toBeTruthy();
});

test('R19-64: answers from the preview take the same turns as those from the meeting', async () => {
  await setMode('ask');
  const token = await guestToken();
  // Eight costly messages of an organization's guests at once, and one in eight seconds.
  const config = { ...app.services.config, RATE_LIMIT_SCALE: 0.02 };
  const http = await buildApp({ ...app.services, config }, { pagesDir: null });
  try {
    const origin = await http.listen({ port: 0, host: '127.0.0.1' });
    const preview = await hello(origin.replace('http', 'ws'), token);
    await preview.until('waiting');
    for (let count = 0; count < 30; count += 1) preview.send(answer(count % 2 === 0));
    const stored = async () =>
      (await app.owner.query('select 1 from consents where call_id = $1', [started.call.id]))
        .rowCount ?? 0;
    await expect.poll(stored).toBeGreaterThanOrEqual(8);
    // Meanwhile all others would be stored.
    for (let count = 0; count < 20; count += 1) await receipts();
    expect(await stored()).toBeLessThan(15);
  } finally {
    await http.close();
  }
});

test('guests in the preview learn that a recording has started, and agree before they join', async () => {
  await setMode('ask');
  const adas = await host();
  const preview = await hello(url, await guestToken());
  expect((await preview.until('waiting')).asks).toBeUndefined();
  await record(adas);
  await preview.until('waiting', ({ asks }) => asks?.[0] === 'recording');
  preview.send({ type: 'join', name: 'Cleo', media: bothOn });
  await preview.until('let-in');
});
