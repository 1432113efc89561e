import { expect, test, vi } from 'vitest';
import { listConsents } from '#domain/consent/contract.ts';
import { questionVersion, togetherVersion } from '#domain/consent/question.ts';
import { removeFromRecording } from '#domain/recordings/contract.ts';
import { seconds } from '#server/testing/daily-webhook.ts';
import {
  answered,
  eventually,
  HostedRecordingCall,
} from '#server/testing/hosted-recording-call.ts';
import { recorded, recordingOf } from '#server/testing/recorded-call.ts';
import { Visitor } from '#server/testing/visitor.ts';
import { deleteDiscardedFiles } from '../discarded-files.ts';
import { followHostedRooms } from './follow-hosted-rooms.ts';

const here = new HostedRecordingCall();

test('a call is recorded once everyone has agreed, shown once Daily confirms it, and kept as one file', async () => {
  expect(here.adas.welcome).toMatchObject({ capturable: ['recording'] });
  await here.adas.until(
    'hosted-recording',
    (told) => told.state === 'waiting' && told.waitingFor === 1,
  );
  expect(here.orders()).not.toContain('start');
  await here.answer(here.adas, true);
  const recording = await here.running();
  const bo = await here.guest(true);
  await here.tellStarted(recording);
  await bo.until('hosted-recording', ({ state }) => state === 'recording');
  here.capture(false);
  await here.stopped();
  await here.adas.until('hosted-recording', ({ state }) => state === 'off');
  await here.takenOver(recording);
  const [file, ...others] = await here.files();
  expect(others).toEqual([]);
  expect(file).toMatchObject({ source: 'everyone', state: 'ready', hasVideo: true });
  expect(file?.name.split(', ').toSorted()).toEqual(
    [`${here.ada.user.firstName} ${here.ada.user.lastName}`, 'Bo'].toSorted(),
  );
  const played = await here.app.http.inject({
    url: file?.url ?? '',
    headers: { range: 'bytes=0-99' },
  });
  expect(played.statusCode).toBe(206);
});

test('nothing is recorded while someone of whom Daily knows has not agreed', async () => {
  here.daily.recordings.present.set(here.name, [here.adas.id, null]);
  await here.answer(here.adas, true);
  await here.adas.until(
    'hosted-recording',
    (told) => told.state === 'waiting' && told.waitingFor === 1,
  );
  here.daily.recordings.present.set(here.name, [here.adas.id]);
  await followHostedRooms(here.app.services);
  await here.running();
});

test('a guest answers before Daily’s page opens, to the question about one file with everyone', async () => {
  const token = await here.guestToken();
  expect(await here.admit(token)).toMatchObject({ status: 409, body: { code: 'consent_needed' } });
  const old = { ...answered(true), questionVersion };
  const outdated = await new Visitor(here.app).send('POST', '/api/hosted-admissions', {
    ...{ token, name: 'Bo', consent: old },
  });
  expect(outdated).toMatchObject({ status: 409, body: { code: 'question_outdated' } });
  expect(here.orders()).not.toContain('meeting-tokens');
  expect((await here.admit(token, true)).status).toBe(201);
  const [receipt] = await here.ada.call(listConsents, { params: { id: here.started.call.id } });
  expect(receipt).toMatchObject({
    name: 'Bo',
    questionVersion: togetherVersion,
    agreed: ['recording'],
  });
  expect(receipt?.question).toContain('in one video');
});

test('of a guest who declines nothing is recorded: it has stopped before they get a token', async () => {
  await here.answer(here.adas, true);
  const recording = await here.running();
  recording.start_ts -= 4;
  here.daily.asked.length = 0;
  const cy = await here.guest(false, 'Cy');
  const asked = here.orders();
  expect(asked.indexOf('stop')).toBeGreaterThanOrEqual(0);
  expect(asked.indexOf('stop')).toBeLessThan(asked.indexOf('meeting-tokens'));
  await cy.until('hosted-recording', ({ state }) => state === 'waiting');
  await here.takenOver(recording);
  expect(await here.files()).toMatchObject([
    { name: expect.not.stringContaining('Cy'), state: 'ready' },
  ]);
  expect(here.daily.recordings.running(here.name)).toEqual([]);
  // Once they have left, everyone agrees again.
  await cy.drop();
  here.daily.recordings.present.set(here.name, [here.adas.id]);
  await here.app.owner.query('update attendances set left_at = now() where id = $1', [cy.id]);
  await followHostedRooms(here.app.services);
  await here.running();
});

test('who comes without having agreed ends the recording, and what it has of them is left out', async () => {
  await here.answer(here.adas, true);
  const recording = await here.running();
  await here.admit(await here.guestToken(), true);
  const id = here.daily.tokensAsked.at(-1)?.user_id;
  // Their page was open before anything was asked.
  await here.app.owner.query('delete from consents where participant_id = $1', [id]);
  // However long the steps before took.
  const now = seconds();
  recording.start_ts = now - 6;
  await here.tell('participant.joined', {
    ...{ room: here.name, user_id: id, user_name: 'Dee', owner: false, joined_at: now - 1 },
  });
  await here.stopped();
  await here.takenOver(recording);
  const [file] = await here.files();
  expect(file?.name).not.toContain('Dee');
  // Of six seconds: until two seconds before they came.
  expect(file?.durationMs).toBeLessThan(4_000);
  expect(file?.durationMs).toBeGreaterThan(1_000);
});

test('a withdrawal ends the recording for everyone, and can delete what there is before it is fetched', async () => {
  await here.answer(here.adas, true);
  const recording = await here.running();
  const bo = await here.guest(true);
  await here.answer(bo, false, true);
  await here.stopped();
  here.daily.asked.length = 0;
  await here.takenOver(recording);
  expect(here.orders().filter((one) => one?.startsWith('access-link'))).toEqual([]);
  expect(await here.files()).toEqual([]);
});

test('what was recorded is kept if the host stops it before Daily has answered that it began', async () => {
  const recorder = here.app.services.video.page?.recorder;
  if (!recorder) throw new Error('Daily records nothing');
  const begin = recorder.start.bind(recorder);
  const answers = Promise.withResolvers<void>();
  const start = vi.spyOn(recorder, 'start').mockImplementationOnce(async (...given) => {
    await begin(...given);
    await answers.promise;
  });
  try {
    await here.answer(here.adas, true);
    const recording = await here.running();
    here.adas.send({ type: 'capture', id: 'stop', kind: 'recording', running: false });
    await here.adas.until('saved', ({ id }) => id === 'stop');
    answers.resolve();
    await here.stopped();
    await here.takenOver(recording);
    expect(await here.files()).toHaveLength(1);
  } finally {
    answers.resolve();
    start.mockRestore();
  }
});

test('R21-61: who declines while an earlier file is fetched ends the recording, and is left out from then on', async () => {
  await here.answer(here.adas, true);
  const first = await here.running();
  await here.tellStarted(first);
  here.capture(false);
  await here.stopped();
  here.capture(true);
  const second = await here.running();
  await here.tellStarted(second);
  const release = here.daily.recordings.holdFiles();
  try {
    await here.tell(
      'recording.ready-to-download',
      here.daily.recordings.finish(first, recorded.camera),
    );
    await eventually(() => expect(here.daily.recordings.heldFiles).toBe(1));
    await here.answer(here.adas, false);
    await here.stopped();
  } finally {
    release();
  }
  const { rows: kept } = await here.app.owner.query(
    `select max(c.answered_at) - s.keep_until between interval '2 seconds' and interval '2.002 seconds' as "isLeftOut"
     from recorded_segments s join consents c on c.participant_id = $2 where s.id = $1 group by s.id`,
    [second.instanceId, here.adas.id],
  );
  expect(kept).toEqual([{ isLeftOut: true }]);
  await eventually(() => expect(here.daily.recordings.all).not.toContain(first));
});

test('removing one person deletes the file of everyone, here as well', async () => {
  await here.answer(here.adas, true);
  const bo = await here.guest(true);
  const recording = await here.running();
  await here.tellStarted(recording);
  here.capture(false);
  await here.stopped();
  await here.takenOver(recording);
  expect(await here.files()).toHaveLength(1);
  const params = { id: here.started.call.id, participantId: bo.id };
  await here.ada.call(removeFromRecording, { params });
  await deleteDiscardedFiles(here.app.services);
  expect((await recordingOf(here.ada, here.started.call.id)).state).toBe('deleted');
  const { rows: tracks } = await here.app.owner.query(
    'select * from recorded_tracks where call_id = $1',
    [here.started.call.id],
  );
  expect(tracks).toEqual([]);
});

test('who comes after the host has stopped the recording, and before it has ended, is in it', async () => {
  await here.answer(here.adas, true);
  await here.running();
  const recorder = here.app.services.video.page?.recorder;
  if (!recorder) throw new Error('Daily records nothing');
  const end = recorder.stop.bind(recorder);
  const came = Promise.withResolvers<void>();
  const stop = vi.spyOn(recorder, 'stop').mockImplementationOnce(async (...given) => {
    await came.promise;
    return end(...given);
  });
  await here.app.owner.query('update captures set stopped_at = now() where stopped_at is null');
  const bo = await here.guest(true);
  came.resolve();
  await here.stopped();
  stop.mockRestore();
  const { rows: people } = await here.app.owner.query(
    'select participant_id from recorded_segment_people where call_id = $1',
    [here.started.call.id],
  );
  expect(people.map((one) => one.participant_id).toSorted()).toEqual(
    [here.adas.id, bo.id].toSorted(),
  );
});
