import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { placeLegalHold } from '#domain/recordings/contract.ts';
import { leftOnDisk } from '#server/platform/disk-room.ts';
import { seconds } from '#server/testing/daily-webhook.ts';
import { eventually, HostedRecordingCall } from '#server/testing/hosted-recording-call.ts';
import { recorded } from '#server/testing/recorded-call.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { joinDue } from '../join/join-due.ts';

const here = new HostedRecordingCall();

test('under a legal hold a withdrawal ends the recording, and deletes nothing', async () => {
  await here.answer(here.adas, true);
  const recording = await here.running();
  recording.start_ts -= 5;
  await here.ada.call(placeLegalHold, {
    params: { id: here.started.call.id },
    body: { reason: 'A claim' },
  });
  await here.answer(here.adas, false, true);
  await here.stopped();
  await here.takenOver(recording);
  expect(await here.files()).toHaveLength(1);
});

test('if Daily does not record, people are told, it is tried again, and the call’s recording says so', async () => {
  here.daily.failing.add('start');
  await here.answer(here.adas, true);
  await here.adas.until('hosted-recording', ({ state }) => state === 'failing');
  expect(await here.files()).toMatchObject([{ state: 'failed' }]);
  here.daily.failing.clear();
  await here.laterOn();
  await here.running();
});

test('a recording that breaks at Daily is shown as failed, with Daily’s reason, and another one begins', async () => {
  await here.answer(here.adas, true);
  const broken = await here.running();
  await here.tellStarted(broken);
  const error_msg = 'The disk of the recorder is full.';
  const about = { room_name: here.name, instance_id: broken.instanceId };
  await here.tell('recording.error', { action: 'cloud-recording-err', error_msg, ...about });
  await eventually(() => expect(broken.status).toBe('finished'));
  expect(await here.files()).toMatchObject([{ state: 'failed' }]);
  const { rows: failed } = await here.app.owner.query(
    'select error from recorded_media where segment_id = $1',
    [broken.instanceId],
  );
  expect(failed).toEqual([{ error: error_msg }]);
  await here.laterOn();
  expect((await here.running()).id).not.toBe(broken.id);
});

test('if Daily does not stop, people are told, nobody who declined gets in, and nothing more is kept', async () => {
  await here.answer(here.adas, true);
  const recording = await here.running();
  here.daily.failing.add('stop');
  const token = await here.guestToken();
  const refused = await here.admit(token, false, 'Cy');
  expect(refused).toMatchObject({ status: 503, body: { code: 'recording_not_stopped' } });
  await here.adas.until('hosted-recording', ({ state }) => state === 'stopping');
  expect(here.orders()).not.toContain('meeting-tokens');
  here.daily.failing.clear();
  expect((await here.admit(token, false, 'Cy')).status).toBe(201);
  expect(recording.status).toBe('finished');
});

test('forged, repeated, and early events change nothing, and lost ones are found', async () => {
  await here.answer(here.adas, true);
  const recording = await here.running();
  const forged = randomBytes(32).toString('base64');
  const payload = { recording_id: randomUUID(), instance_id: recording.instanceId, start_ts: 1 };
  expect((await here.tell('recording.started', payload, forged)).status).toBe(400);
  expect(await here.rows()).toMatchObject([{ recording_id: null, confirmed_at: null }]);
  here.capture(false);
  await here.stopped();
  // Nothing said that it had begun, or that it is over.
  here.daily.recordings.finish(recording, recorded.camera);
  await eventually(async () => {
    await here.laterOn();
    expect(await here.rows()).toEqual([]);
  });
  await joinDue(here.app.services);
  const [before] = await here.files();
  expect(before?.state).toBe('ready');
  const again = { recording_id: recording.id, room_name: here.name, start_ts: recording.start_ts };
  expect((await here.tell('recording.ready-to-download', again)).status).toBe(200);
  await here.tellStarted(recording);
  expect(await here.files()).toMatchObject([{ id: before?.id, state: 'ready' }]);
});

test('a recording that nobody here has asked for is stopped and deleted', async () => {
  const foreign = { instanceId: randomUUID(), id: randomUUID(), room_name: here.name };
  const recording = {
    ...{ ...foreign, start_ts: seconds(), bytes: Buffer.alloc(0) },
    status: 'in-progress' as const,
  };
  here.daily.recordings.all.push(recording);
  expect((await here.tellStarted(recording)).status).toBe(200);
  await here.stopped();
  await here.tell(
    'recording.ready-to-download',
    here.daily.recordings.finish(recording, Buffer.from('x')),
  );
  expect(here.daily.recordings.all).toEqual([]);
  expect(await here.files()).toEqual([]);
});

test('R30-A2: who records another room with the instance of this one changes nothing here', async () => {
  await here.answer(here.adas, true);
  const recording = await here.running();
  await here.tellStarted(recording);
  const eve = await newOrganization(here.app);
  const hers = await runningCall(eve);
  const foreign = {
    ...{ instanceId: recording.instanceId, id: randomUUID(), start_ts: seconds() },
    ...{ room_name: `${eve.user.orgId}_${hers.room.id}`, bytes: Buffer.alloc(0) },
    status: 'in-progress' as const,
  };
  here.daily.recordings.all.push(foreign);
  expect((await here.tellStarted(foreign)).status).toBe(200);
  expect(await here.rows()).toMatchObject([{ recording_id: recording.id }]);
  expect(here.daily.recordings.running(foreign.room_name)).toEqual([]);
  expect(await here.running()).toBe(recording);
  here.capture(false);
  await here.stopped();
  await here.takenOver(recording);
  expect(await here.files()).toMatchObject([{ state: 'ready' }]);
});

test('a call that is deleted while it is recorded leaves nothing at Daily', async () => {
  await here.answer(here.adas, true);
  const recording = await here.running();
  await here.app.owner.query('delete from calls where id = $1', [here.started.call.id]);
  await here.laterOn();
  await here.stopped();
  here.daily.recordings.finish(recording, recorded.camera);
  await eventually(async () => {
    await here.laterOn();
    expect([await here.rows(), here.daily.recordings.all]).toEqual([[], []]);
  });
});

test('R21-74: a file stays at Daily until the disk has room for all of it', async () => {
  const free = vi.spyOn(here.app.services.files, 'freeBytes').mockResolvedValue(leftOnDisk + 100);
  const put = vi.spyOn(here.app.services.files, 'put');
  await here.answer(here.adas, true);
  const recording = await here.running();
  await here.tellStarted(recording);
  here.capture(false);
  await here.stopped();
  await here.tell(
    'recording.ready-to-download',
    here.daily.recordings.finish(recording, recorded.camera),
  );
  // It was tried, and is tried again before the time that a fetch has.
  await eventually(async () => {
    const [row] = await here.rows();
    expect(row?.attempts).toBe(1);
    expect(row?.next_attempt_at.getTime()).toBeLessThan(Date.now() + 60_000);
  });
  expect(put).not.toHaveBeenCalled();
  free.mockRestore();
  await here.laterOn();
  await eventually(async () => expect(await here.rows()).toEqual([]));
  expect(put).toHaveBeenCalled();
  put.mockRestore();
});
