import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { changeRoomCapture, listConsents } from '#domain/consent/contract.ts';
import { questionVersion, togetherVersion } from '#domain/consent/question.ts';
import { placeLegalHold, removeFromRecording } from '#domain/recordings/contract.ts';
import { leftOnDisk } from '#server/platform/disk-room.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { dailyEvent, seconds, sendDailyEvent } from '#server/testing/daily-webhook.ts';
import { type Entered, enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recorded, recordingOf } from '#server/testing/recorded-call.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf } from '#server/testing/waiting-guest.ts';
import { deleteDiscardedFiles } from '../discarded-files.ts';
import { joinDue } from '../join/join-due.ts';
import { followHostedRooms } from './follow-hosted-rooms.ts';

let daily: DailyStandIn;
let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
let adas: Entered;
let name: string;
beforeAll(async () => {
  daily = await new DailyStandIn().open();
  app = await openTestApp({
    PUBLIC_URL: 'https://calls.example.com',
    ...daily.recordingSettings,
  });
  url = await app.listen();
});
beforeEach(async () => {
  // Those of the tests before end here.
  await app.owner.query('update captures set stopped_at = now() where stopped_at is null');
  await app.owner.query('delete from hosted_recordings');
  daily.recordings.all.length = 0;
  ada = await newOrganization(app);
  started = await runningCall(ada);
  await ada.call(changeRoomCapture, {
    ...{ params: { id: started.room.id }, body: { recording: 'ask' } },
  });
  name = `${ada.user.orgId}_${started.room.id}`;
  adas = await enter(url, started.room.panelToken ?? '');
  daily.recordings.present.set(name, [adas.id]);
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: true });
  await adas.until('captures', ({ running }) => running.length === 1);
  daily.asked.length = 0;
});
afterEach(() => daily.failing.clear());
afterAll(async () => {
  await app.close();
  await daily.close();
});

const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 10_000 });
const answered = (agrees: boolean) => ({
  ...{ id: randomUUID(), asked: ['recording' as const], language: 'en' as const },
  ...{ agreed: agrees ? ['recording' as const] : [], questionVersion: togetherVersion },
});
async function answer(page: Entered, agrees: boolean, discard = false) {
  const consent = answered(agrees);
  page.send({ type: 'consent', ...consent, discard });
  await page.until('saved', (saved) => saved.id === consent.id);
}
const admit = (token: string, agrees?: boolean, of = 'Bo') =>
  new Visitor(app).send('POST', '/api/hosted-admissions', {
    ...{ token, name: of },
    ...(agrees !== undefined && { consent: answered(agrees) }),
  });
/** A guest who has answered, and is on Daily's page. */
async function guest(agrees: boolean, of = 'Bo'): Promise<Entered> {
  const token = await guestTokenOf(app, ada, started.room.id);
  expect((await admit(token, agrees, of)).status).toBe(201);
  const page = await enter(url, token, { name: of });
  daily.recordings.present.get(name)?.push(page.id);
  await tell('participant.joined', {
    ...{ room: name, user_id: page.id, user_name: of, owner: false, joined_at: seconds() },
  });
  return page;
}
const tell = (type: string, payload: object, secret = daily.webhookSecret) =>
  sendDailyEvent(app, secret, dailyEvent(type, payload));
/** Returns what Daily records now, once it does. */
const running = () =>
  eventually(() => {
    const [one] = daily.recordings.running(name);
    if (!one) throw new Error('nothing is recorded');
    return one;
  });
const stopped = () => eventually(() => expect(daily.recordings.running(name)).toEqual([]));
const startedEvent = ({ id, instanceId, start_ts }: Awaited<ReturnType<typeof running>>) =>
  tell('recording.started', {
    ...{ action: 'start-cloud-recording', recording_id: id, instance_id: instanceId, start_ts },
  });
/** Daily has the file, says so, and Rapport takes it over. */
async function takenOver(of: Awaited<ReturnType<typeof running>>, bytes = recorded.camera) {
  await tell('recording.ready-to-download', daily.recordings.finish(of, bytes));
  await eventually(async () => {
    expect(await rows()).toEqual([]);
    expect(daily.recordings.all).not.toContain(of);
  });
  await joinDue(app.services);
}
const rows = async () =>
  (await app.owner.query('select * from hosted_recordings order by requested_at')).rows;
const files = async () =>
  (await recordingOf(ada, started.call.id)).people.flatMap((person) =>
    person.tracks.flatMap((track) =>
      track.files.map((file) => ({ name: person.name, source: track.source, ...file })),
    ),
  );
/** Has every pause passed. */
const laterOn = async () => {
  await app.owner.query(`update hosted_recordings set next_attempt_at = now() - interval '1 second',
    stopped_at = stopped_at - case when error is null then interval '0' else interval '1 minute' end`);
  await followHostedRooms(app.services);
};
const orders = () =>
  daily.asked.map(({ path }) => path.split('/').at(-1)).filter((one) => one !== 'recordings');

test('a call is recorded once everyone has agreed, shown once Daily confirms it, and kept as one file', async () => {
  expect(adas.welcome).toMatchObject({ capturable: ['recording'] });
  await adas.until('hosted-recording', (told) => told.state === 'waiting' && told.waitingFor === 1);
  expect(orders()).not.toContain('start');
  await answer(adas, true);
  const recording = await running();
  const bo = await guest(true);
  await startedEvent(recording);
  await bo.until('hosted-recording', ({ state }) => state === 'recording');
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: false });
  await stopped();
  await adas.until('hosted-recording', ({ state }) => state === 'off');
  await takenOver(recording);
  const [file, ...others] = await files();
  expect(others).toEqual([]);
  expect(file).toMatchObject({ source: 'everyone', state: 'ready', hasVideo: true });
  expect(file?.name.split(', ').toSorted()).toEqual(
    [`${ada.user.firstName} ${ada.user.lastName}`, 'Bo'].toSorted(),
  );
  const played = await app.http.inject({ url: file?.url ?? '', headers: { range: 'bytes=0-99' } });
  expect(played.statusCode).toBe(206);
});

test('nothing is recorded while someone of whom Daily knows has not agreed', async () => {
  daily.recordings.present.set(name, [adas.id, null]);
  await answer(adas, true);
  await adas.until('hosted-recording', (told) => told.state === 'waiting' && told.waitingFor === 1);
  daily.recordings.present.set(name, [adas.id]);
  await followHostedRooms(app.services);
  await running();
});

test('a guest answers before Daily’s page opens, to the question about one file with everyone', async () => {
  const token = await guestTokenOf(app, ada, started.room.id);
  expect(await admit(token)).toMatchObject({ status: 409, body: { code: 'consent_needed' } });
  const old = { ...answered(true), questionVersion };
  const outdated = await new Visitor(app).send('POST', '/api/hosted-admissions', {
    ...{ token, name: 'Bo', consent: old },
  });
  expect(outdated).toMatchObject({ status: 409, body: { code: 'question_outdated' } });
  expect(orders()).not.toContain('meeting-tokens');
  expect((await admit(token, true)).status).toBe(201);
  const [receipt] = await ada.call(listConsents, { params: { id: started.call.id } });
  expect(receipt).toMatchObject({
    name: 'Bo',
    questionVersion: togetherVersion,
    agreed: ['recording'],
  });
  expect(receipt?.question).toContain('in one video');
});

test('of a guest who declines nothing is recorded: it has stopped before they get a token', async () => {
  await answer(adas, true);
  const recording = await running();
  recording.start_ts -= 4;
  daily.asked.length = 0;
  const cy = await guest(false, 'Cy');
  const asked = orders();
  expect(asked.indexOf('stop')).toBeGreaterThanOrEqual(0);
  expect(asked.indexOf('stop')).toBeLessThan(asked.indexOf('meeting-tokens'));
  await cy.until('hosted-recording', ({ state }) => state === 'waiting');
  await takenOver(recording);
  expect(await files()).toMatchObject([
    { name: expect.not.stringContaining('Cy'), state: 'ready' },
  ]);
  expect(daily.recordings.running(name)).toEqual([]);
  // Once they have left, everyone agrees again.
  await cy.drop();
  daily.recordings.present.set(name, [adas.id]);
  await app.owner.query('update attendances set left_at = now() where id = $1', [cy.id]);
  await followHostedRooms(app.services);
  await running();
});

test('who comes without having agreed ends the recording, and what it has of them is left out', async () => {
  await answer(adas, true);
  const recording = await running();
  await admit(await guestTokenOf(app, ada, started.room.id), true);
  const id = daily.tokensAsked.at(-1)?.user_id;
  // Their page was open before anything was asked.
  await app.owner.query('delete from consents where participant_id = $1', [id]);
  // However long the steps before took.
  const now = seconds();
  recording.start_ts = now - 6;
  await tell('participant.joined', {
    ...{ room: name, user_id: id, user_name: 'Dee', owner: false, joined_at: now - 1 },
  });
  await stopped();
  await takenOver(recording);
  const [file] = await files();
  expect(file?.name).not.toContain('Dee');
  // Of six seconds: until two seconds before they came.
  expect(file?.durationMs).toBeLessThan(4_000);
  expect(file?.durationMs).toBeGreaterThan(1_000);
});

test('a withdrawal ends the recording for everyone, and can delete what there is before it is fetched', async () => {
  await answer(adas, true);
  const recording = await running();
  const bo = await guest(true);
  await answer(bo, false, true);
  await stopped();
  daily.asked.length = 0;
  await takenOver(recording);
  expect(orders().filter((one) => one?.startsWith('access-link'))).toEqual([]);
  expect(await files()).toEqual([]);
});

test('what was recorded is kept if the host stops it before Daily has answered that it began', async () => {
  const recorder = app.services.video.page?.recorder;
  if (!recorder) throw new Error('Daily records nothing');
  const begin = recorder.start.bind(recorder);
  const answers = Promise.withResolvers<void>();
  const start = vi.spyOn(recorder, 'start').mockImplementationOnce(async (...given) => {
    await begin(...given);
    await answers.promise;
  });
  try {
    await answer(adas, true);
    const recording = await running();
    adas.send({ type: 'capture', id: 'stop', kind: 'recording', running: false });
    await adas.until('saved', ({ id }) => id === 'stop');
    answers.resolve();
    await stopped();
    await takenOver(recording);
    expect(await files()).toHaveLength(1);
  } finally {
    answers.resolve();
    start.mockRestore();
  }
});

test('R21-61: who declines while an earlier file is fetched ends the recording, and is left out from then on', async () => {
  await answer(adas, true);
  const first = await running();
  await startedEvent(first);
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: false });
  await stopped();
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: true });
  const second = await running();
  await startedEvent(second);
  const release = daily.recordings.holdFiles();
  try {
    await tell('recording.ready-to-download', daily.recordings.finish(first, recorded.camera));
    await eventually(() => expect(daily.recordings.heldFiles).toBe(1));
    await answer(adas, false);
    await stopped();
  } finally {
    release();
  }
  const { rows: kept } = await app.owner.query(
    `select max(c.answered_at) - s.keep_until between interval '2 seconds' and interval '2.002 seconds' as "isLeftOut"
     from recorded_segments s join consents c on c.participant_id = $2 where s.id = $1 group by s.id`,
    [second.instanceId, adas.id],
  );
  expect(kept).toEqual([{ isLeftOut: true }]);
  await eventually(() => expect(daily.recordings.all).not.toContain(first));
});

test('removing one person deletes the file of everyone, here as well', async () => {
  await answer(adas, true);
  const bo = await guest(true);
  const recording = await running();
  await startedEvent(recording);
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: false });
  await stopped();
  await takenOver(recording);
  expect(await files()).toHaveLength(1);
  const params = { id: started.call.id, participantId: bo.id };
  await ada.call(removeFromRecording, { params });
  await deleteDiscardedFiles(app.services);
  expect((await recordingOf(ada, started.call.id)).state).toBe('deleted');
  const { rows: tracks } = await app.owner.query(
    'select * from recorded_tracks where call_id = $1',
    [started.call.id],
  );
  expect(tracks).toEqual([]);
});

test('who comes after the host has stopped the recording, and before it has ended, is in it', async () => {
  await answer(adas, true);
  await running();
  const recorder = app.services.video.page?.recorder;
  if (!recorder) throw new Error('Daily records nothing');
  const end = recorder.stop.bind(recorder);
  const came = Promise.withResolvers<void>();
  const stop = vi.spyOn(recorder, 'stop').mockImplementationOnce(async (...given) => {
    await came.promise;
    return end(...given);
  });
  await app.owner.query('update captures set stopped_at = now() where stopped_at is null');
  const bo = await guest(true);
  came.resolve();
  await stopped();
  stop.mockRestore();
  const { rows: people } = await app.owner.query(
    'select participant_id from recorded_segment_people where call_id = $1',
    [started.call.id],
  );
  expect(people.map((one) => one.participant_id).toSorted()).toEqual([adas.id, bo.id].toSorted());
});

test('under a legal hold a withdrawal ends the recording, and deletes nothing', async () => {
  await answer(adas, true);
  const recording = await running();
  recording.start_ts -= 5;
  await ada.call(placeLegalHold, { params: { id: started.call.id }, body: { reason: 'A claim' } });
  await answer(adas, false, true);
  await stopped();
  await takenOver(recording);
  expect(await files()).toHaveLength(1);
});

test('if Daily does not record, people are told, it is tried again, and the call’s recording says so', async () => {
  daily.failing.add('start');
  await answer(adas, true);
  await adas.until('hosted-recording', ({ state }) => state === 'failing');
  expect(await files()).toMatchObject([{ state: 'failed' }]);
  daily.failing.clear();
  await laterOn();
  await running();
});

test('a recording that breaks at Daily is shown as failed, with Daily’s reason, and another one begins', async () => {
  await answer(adas, true);
  const broken = await running();
  await startedEvent(broken);
  const error_msg = 'The disk of the recorder is full.';
  const about = { room_name: name, instance_id: broken.instanceId };
  await tell('recording.error', { action: 'cloud-recording-err', error_msg, ...about });
  await eventually(() => expect(broken.status).toBe('finished'));
  expect(await files()).toMatchObject([{ state: 'failed' }]);
  const { rows: failed } = await app.owner.query(
    'select error from recorded_media where segment_id = $1',
    [broken.instanceId],
  );
  expect(failed).toEqual([{ error: error_msg }]);
  await laterOn();
  expect((await running()).id).not.toBe(broken.id);
});

test('if Daily does not stop, people are told, nobody who declined gets in, and nothing more is kept', async () => {
  await answer(adas, true);
  const recording = await running();
  daily.failing.add('stop');
  const token = await guestTokenOf(app, ada, started.room.id);
  const refused = await admit(token, false, 'Cy');
  expect(refused).toMatchObject({ status: 503, body: { code: 'recording_not_stopped' } });
  await adas.until('hosted-recording', ({ state }) => state === 'stopping');
  expect(orders()).not.toContain('meeting-tokens');
  daily.failing.clear();
  expect((await admit(token, false, 'Cy')).status).toBe(201);
  expect(recording.status).toBe('finished');
});

test('forged, repeated, and early events change nothing, and lost ones are found', async () => {
  await answer(adas, true);
  const recording = await running();
  const forged = randomBytes(32).toString('base64');
  const payload = { recording_id: randomUUID(), instance_id: recording.instanceId, start_ts: 1 };
  expect((await tell('recording.started', payload, forged)).status).toBe(400);
  expect(await rows()).toMatchObject([{ recording_id: null, confirmed_at: null }]);
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: false });
  await stopped();
  // Nothing said that it had begun, or that it is over.
  daily.recordings.finish(recording, recorded.camera);
  await eventually(async () => {
    await laterOn();
    expect(await rows()).toEqual([]);
  });
  await joinDue(app.services);
  const [before] = await files();
  expect(before?.state).toBe('ready');
  const again = { recording_id: recording.id, room_name: name, start_ts: recording.start_ts };
  expect((await tell('recording.ready-to-download', again)).status).toBe(200);
  await startedEvent(recording);
  expect(await files()).toMatchObject([{ id: before?.id, state: 'ready' }]);
});

test('a recording that nobody here has asked for is stopped and deleted', async () => {
  const foreign = { instanceId: randomUUID(), id: randomUUID(), room_name: name };
  const recording = {
    ...{ ...foreign, start_ts: seconds(), bytes: Buffer.alloc(0) },
    status: 'in-progress' as const,
  };
  daily.recordings.all.push(recording);
  expect((await startedEvent(recording)).status).toBe(200);
  await stopped();
  await tell('recording.ready-to-download', daily.recordings.finish(recording, Buffer.from('x')));
  expect(daily.recordings.all).toEqual([]);
  expect(await files()).toEqual([]);
});

test('a call that is deleted while it is recorded leaves nothing at Daily', async () => {
  await answer(adas, true);
  const recording = await running();
  await app.owner.query('delete from calls where id = $1', [started.call.id]);
  await laterOn();
  await stopped();
  daily.recordings.finish(recording, recorded.camera);
  await eventually(async () => {
    await laterOn();
    expect([await rows(), daily.recordings.all]).toEqual([[], []]);
  });
});

test('R21-74: a file stays at Daily until the disk has room for all of it', async () => {
  const free = vi.spyOn(app.services.files, 'freeBytes').mockResolvedValue(leftOnDisk + 100);
  const put = vi.spyOn(app.services.files, 'put');
  await answer(adas, true);
  const recording = await running();
  await startedEvent(recording);
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: false });
  await stopped();
  await tell('recording.ready-to-download', daily.recordings.finish(recording, recorded.camera));
  // It was tried, and is tried again before the time that a fetch has.
  await eventually(async () => {
    const [row] = await rows();
    expect(row?.attempts).toBe(1);
    expect(row?.next_attempt_at.getTime()).toBeLessThan(Date.now() + 60_000);
  });
  expect(put).not.toHaveBeenCalled();
  free.mockRestore();
  await laterOn();
  await eventually(async () => expect(await rows()).toEqual([]));
  expect(put).toHaveBeenCalled();
  put.mockRestore();
});
