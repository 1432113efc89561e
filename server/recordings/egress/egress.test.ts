import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EgressInfo } from 'livekit-server-sdk';
import { EgressStatus } from 'livekit-server-sdk';
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  OggOutputFormat,
  Output,
  WEBM,
} from 'mediabunny';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { changeRoomCapture } from '#domain/consent/contract.ts';
import { questionVersion } from '#domain/consent/question.ts';
import { retryRecording } from '#domain/recordings/contract.ts';
import { fakeMediaKey, signed } from '#server/testing/fake-media-server.ts';
import { type Entered, enter } from '#server/testing/live-client.ts';
import { type LiveKitStandIn, startLiveKitStandIn } from '#server/testing/livekit-stand-in.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recorded, recordingOf } from '#server/testing/recorded-call.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf, staffTokenOf } from '#server/testing/waiting-guest.ts';
import { deleteDiscardedFiles } from '../discarded-files.ts';
import { joinDue } from '../join/join-due.ts';
import { deleteSpareParts } from '../join/spare-parts.ts';
import { followRooms } from './follow-rooms.ts';

/** Where LiveKit's Egress sees the folder of files. */
const seen = '/recordings';

let liveKit: LiveKitStandIn;
let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
let adas: Entered;
let cleos: Entered;
let room: string;
beforeAll(async () => {
  liveKit = await startLiveKitStandIn();
  app = await openTestApp({
    VIDEO_PROVIDER: 'livekit',
    LIVEKIT_URL: liveKit.url,
    LIVEKIT_API_KEY: fakeMediaKey.apiKey,
    LIVEKIT_API_SECRET: fakeMediaKey.apiSecret,
    LIVEKIT_EGRESS: 'on',
    LIVEKIT_EGRESS_FOLDER: seen,
  });
  url = await app.listen();
});
beforeEach(async () => {
  // Those of the tests before end here.
  await app.owner.query('update captures set stopped_at = now() where stopped_at is null');
  await app.owner.query('delete from recorded_egresses');
  liveKit.orders.length = 0;
  ada = await newOrganization(app);
  started = await runningCall(ada);
  const params = { id: started.room.id };
  await ada.call(changeRoomCapture, { params, body: { recording: 'ask' } });
  adas = await enter(url, await staffTokenOf(ada, started.room.id));
  cleos = await enter(url, await guestTokenOf(app, ada, started.room.id), { name: 'Cleo' });
  const { room: mediaRoom } = await cleos.until('media-server');
  room = `${ada.user.orgId}.${started.room.id}.${mediaRoom}`;
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: true });
  await cleos.until('captures', ({ running }) => running.length === 1);
});
afterEach(() => liveKit.faults.clear());
afterAll(async () => {
  await app.close();
  await liveKit.close();
});

async function answer(page: Entered, agrees: boolean, discard = false) {
  const id = randomUUID();
  page.send({
    ...{ type: 'consent', id, asked: ['recording'], agreed: agrees ? ['recording'] : [] },
    ...{ questionVersion, language: 'en', discard },
  });
  await page.until('saved', (saved) => saved.id === id);
}
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 10_000 });
const ordered = (order: string) => eventually(() => expect(liveKit.orders).toContain(order));
const post = ({ body, authorization }: Awaited<ReturnType<typeof signed>>) =>
  new Visitor(app).send('POST', '/api/webhooks/livekit', body, {
    'content-type': 'application/webhook+json',
    authorization,
  });
const tell = async (event: string, egress: EgressInfo, secret?: string, expiresAt?: number) =>
  post(
    await signed(
      { id: `EV_${randomUUID()}`, event, egressInfo: egress.toJson() },
      secret,
      expiresAt,
    ),
  );
/** The track is no longer sent, so its recording ends. */
async function end(track: string, egress: EgressInfo): Promise<void> {
  liveKit.unpublish(room, track);
  expect((await tell('egress_ended', egress)).status).toBe(200);
}
const published = async (page: Entered, source: 'camera' | 'microphone' | 'screen') => {
  const track = liveKit.publish(room, page.id, source);
  const event = { id: `EV_${randomUUID()}`, event: 'track_published', room: { name: room } };
  expect((await post(await signed(event))).status).toBe(200);
  return track;
};
async function egressOf(track: string): Promise<EgressInfo> {
  await ordered(`start ${track}`);
  const egress = liveKit.egressOfTrack(track);
  if (!egress) throw new Error('it is not recorded');
  return egress;
}
const pathOf = (path: string) => join(app.filesFolder, path.slice(seen.length));
/** Egress has written the file. @returns where */
function write(egress: EgressInfo, extension: 'mp4' | 'webm' | 'ogg', bytes: Buffer): string {
  const path = pathOf(liveKit.finish(egress, { extension, sizeBytes: bytes.length }));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}
const filesOf = async () =>
  (await recordingOf(ada, started.call.id)).people.flatMap(({ name, tracks }) =>
    tracks
      .flatMap(({ source, files }) => files.map((file) => ({ name, source, ...file })))
      .toSorted((a, b) => a.source.localeCompare(b.source)),
  );
/** Has every lease and every pause of a recording passed. */
const laterOn = () =>
  app.owner.query(`update recorded_egresses set next_attempt_at = now() - interval '1 second'`);
const egressRows = async () =>
  (await app.owner.query('select * from recorded_egresses where call_id = $1', [started.call.id]))
    .rows;

/** The microphone’s sound as Egress writes it. */
async function oggOf(webm: Buffer): Promise<Buffer> {
  const input = new Input({ source: new BufferSource(webm), formats: [WEBM] });
  const track = await input.getPrimaryAudioTrack();
  const target = new BufferTarget();
  const output = new Output({ format: new OggOutputFormat(), target });
  const sound = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(sound);
  await output.start();
  if (!track) throw new Error('no sound');
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  for await (const packet of new EncodedPacketSink(track).packets())
    await sound.add(packet, decoderConfig && { decoderConfig });
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer());
}

test('a track is recorded once its person has agreed, and never before', async () => {
  expect(cleos.welcome).toMatchObject({ recordedByServer: true });
  const microphone = await published(cleos, 'microphone');
  await published(adas, 'camera');
  await followRooms(app.services);
  expect(liveKit.orders).toEqual([]);
  await answer(cleos, true);
  await ordered(`start ${microphone}`);
  const camera = await published(cleos, 'camera');
  await ordered(`start ${camera}`);
  await Promise.all([followRooms(app.services), followRooms(app.services)]);
  expect(liveKit.orders).toEqual([`start ${microphone}`, `start ${camera}`]);
});

test('a withdrawal ends the recordings of this person alone, and a stop those of everyone', async () => {
  await answer(cleos, true);
  await answer(adas, true);
  const tracks = [await published(cleos, 'camera'), await published(cleos, 'screen')];
  const own = await published(adas, 'microphone');
  for (const track of [...tracks, own]) await ordered(`start ${track}`);
  await answer(cleos, false);
  for (const track of tracks) await ordered(`stop ${track}`);
  expect(liveKit.orders).not.toContain(`stop ${own}`);
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: false });
  await ordered(`stop ${own}`);
});

test('files of pictures and of sound become files of the recording, which can be played', async () => {
  await answer(cleos, true);
  const sent = {
    camera: await published(cleos, 'camera'),
    microphone: await published(cleos, 'microphone'),
  };
  const [camera, microphone] = [await egressOf(sent.camera), await egressOf(sent.microphone)];
  const writing = { name: 'Cleo', state: 'waiting', url: null };
  expect(await filesOf()).toMatchObject([
    { ...writing, source: 'camera' },
    { ...writing, source: 'microphone' },
  ]);
  const raw = write(camera, 'webm', recorded.camera);
  write(microphone, 'ogg', await oggOf(recorded.microphone));
  await end(sent.camera, camera);
  await end(sent.microphone, microphone);
  await joinDue(app.services);
  const files = await filesOf();
  expect(files).toMatchObject([
    { source: 'camera', state: 'ready', hasVideo: true },
    { source: 'microphone', state: 'ready', hasVideo: false, mimeType: 'audio/mp4' },
  ]);
  expect(files[1]?.waveform.some((value) => value > 0)).toBe(true);
  for (const { url, durationMs } of files) {
    expect(durationMs).toBeGreaterThan(4_000);
    const played = await app.http.inject({ url: url ?? '', headers: { range: 'bytes=0-99' } });
    expect([played.statusCode, played.rawPayload.length]).toEqual([206, 100]);
  }
  // The joined file contains it.
  await deleteSpareParts(app.services);
  expect(existsSync(raw)).toBe(false);
  expect(await egressRows()).toEqual([]);
});

test('a camera has a poster from its file, because no page sends one', async () => {
  await answer(cleos, true);
  const track = await published(cleos, 'camera');
  const egress = await egressOf(track);
  write(egress, 'webm', recorded.vp8);
  await end(track, egress);
  await joinDue(app.services);
  const [file] = await filesOf();
  const poster = await app.http.inject({ url: file?.posterUrl ?? '' });
  expect([poster.statusCode, poster.headers['content-type']]).toEqual([200, 'image/jpeg']);
});

test('what was recorded between a withdrawal and the end of the file is left out', async () => {
  await answer(cleos, true);
  const egress = await egressOf(await published(cleos, 'microphone'));
  await answer(cleos, false);
  await eventually(() => expect(liveKit.orders.at(-1)).toMatch(/^stop/));
  const ogg = await oggOf(recorded.microphone);
  write(egress, 'ogg', ogg);
  liveKit.finish(egress, {
    extension: 'ogg',
    sizeBytes: ogg.length,
    startedAt: new Date(Date.now() - 2_000),
  });
  await tell('egress_ended', egress);
  await joinDue(app.services);
  const [file] = await filesOf();
  expect(file?.state).toBe('ready');
  // Of six seconds.
  expect(file?.durationMs).toBeLessThan(4_000);
});

test('a recording that was deleted while it ran leaves no file', async () => {
  await answer(cleos, true);
  const track = await published(cleos, 'camera');
  const egress = await egressOf(track);
  await answer(cleos, false, true);
  await ordered(`stop ${track}`);
  await deleteDiscardedFiles(app.services);
  const path = write(egress, 'webm', recorded.camera);
  await tell('egress_ended', egress);
  await deleteDiscardedFiles(app.services);
  expect(existsSync(path)).toBe(false);
  expect([await filesOf(), await egressRows()]).toEqual([[], []]);
});

test('a failure shows on the person’s page, is tried again, and shows when it is over', async () => {
  liveKit.faults.set('Egress/StartTrackEgress', 'before');
  await answer(cleos, true);
  const track = await published(cleos, 'camera');
  await cleos.until('server-recording', ({ isFailing }) => isFailing);
  expect((await adas.settled()).all('server-recording')).toEqual([]);
  liveKit.faults.clear();
  await laterOn();
  await followRooms(app.services);
  expect(liveKit.orders).toEqual([`start ${track}`]);
  await cleos.until('server-recording', ({ isFailing }) => !isFailing);
});

test('R20-58: the rooms of one organization keep no other one from being looked at', async () => {
  await answer(cleos, true);
  const { user } = await newOrganization(app);
  // Of rooms in the order of their ids, these would be the first.
  await app.owner.query(
    `with made as (
        insert into rooms (id, org_id, topic)
        select lpad(n::text, 32, '0')::uuid, $1, 'Recorded' from generate_series(1, 1100) n returning *
      ), begun as (
        insert into media_rooms (id, org_id, room_id, reason)
        select gen_random_uuid(), org_id, id, 'engine' from made
      ), called as (
        insert into calls (id, org_id, room_id, started_by, started_at, last_seen_at)
        select gen_random_uuid(), org_id, id, $2, now(), now() from made returning *
      )
      insert into captures (id, org_id, call_id, kind)
      select gen_random_uuid(), org_id, id, 'recording' from called`,
    [user.orgId, user.id],
  );
  // No event told of this track.
  const track = liveKit.publish(room, cleos.id, 'camera');
  await followRooms(app.services);
  expect(liveKit.orders).toContain(`start ${track}`);
});

test('who agrees before their attendance is stored is recorded once it is', async () => {
  const holder = new pg.Client(app.ownerLogin);
  await holder.connect();
  await holder.query('begin; lock table attendances in exclusive mode');
  const token = await guestTokenOf(app, ada, started.room.id);
  const dana = await enter(url, token, { name: 'Dana' });
  await answer(dana, true);
  const track = await published(dana, 'camera');
  await followRooms(app.services);
  expect(liveKit.orders).toEqual([]);
  await holder.query('commit');
  await holder.end();
  await ordered(`start ${track}`);
});

test('a start whose answer was lost is not repeated', async () => {
  liveKit.faults.set('Egress/StartTrackEgress', 'after');
  await answer(cleos, true);
  const track = await published(cleos, 'camera');
  await cleos.until('server-recording', ({ isFailing }) => isFailing);
  liveKit.faults.clear();
  await laterOn();
  await followRooms(app.services);
  expect(liveKit.orders).toEqual([`start ${track}`]);
  expect(await egressRows()).toMatchObject([
    { egress_name: liveKit.egressOfTrack(track)?.egressId, error: null },
  ]);
});

test('a recording that failed for good is in the call’s recording as failed', async () => {
  await answer(cleos, true);
  const egress = await egressOf(await published(cleos, 'camera'));
  liveKit.finish(egress, { status: EgressStatus.EGRESS_FAILED, error: 'no space left' });
  await tell('egress_ended', egress);
  await cleos.until('server-recording', ({ isFailing }) => isFailing);
  expect(await egressRows()).toMatchObject([{ error: 'no space left', egress_name: null }]);
  adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running: false });
  await adas.until('captures', ({ running }) => running.length === 0);
  await eventually(async () => {
    await laterOn();
    await followRooms(app.services);
    expect(await filesOf()).toMatchObject([{ state: 'failed', url: null }]);
  });
  await ada.call(retryRecording, { params: { id: started.call.id } });
  expect((await recordingOf(ada, started.call.id)).state).toBe('failed');
});

test('a recording of whose end no event came is asked about', async () => {
  await answer(cleos, true);
  const track = await published(cleos, 'camera');
  const egress = await egressOf(track);
  write(egress, 'webm', recorded.camera);
  liveKit.unpublish(room, track);
  await eventually(async () =>
    expect(await egressRows()).toMatchObject([{ egress_name: egress.egressId }]),
  );
  await laterOn();
  await followRooms(app.services);
  await joinDue(app.services);
  expect(await filesOf()).toMatchObject([{ state: 'ready' }]);
});

test('events that are forged, expired, repeated, late, or of an unknown recording change nothing', async () => {
  await answer(cleos, true);
  const track = await published(cleos, 'camera');
  const egress = await egressOf(track);
  const path = write(egress, 'webm', recorded.camera);
  const foreign = 'the secret of somebody else, long enough';
  expect((await tell('egress_ended', egress, foreign)).status).toBe(401);
  const past = Math.floor(Date.now() / 1000) - 60;
  expect((await tell('egress_ended', egress, undefined, past)).status).toBe(401);
  expect(await egressRows()).toHaveLength(1);
  await end(track, egress);
  await joinDue(app.services);
  const before = await filesOf();
  const early = egress.clone();
  early.status = EgressStatus.EGRESS_ACTIVE;
  for (const event of [egress, early]) {
    expect((await tell('egress_updated', event)).status).toBe(200);
  }
  const unknown = egress.clone();
  const { request } = unknown;
  if (request.case !== 'track' || request.value.output.case !== 'file') throw new Error('no track');
  request.value.output.value.filepath = `${seen}/${randomUUID()}/recordings/${randomUUID()}/parts/egress`;
  expect((await tell('egress_ended', unknown)).status).toBe(200);
  await deleteDiscardedFiles(app.services);
  const withoutUrls = (files: typeof before) => files.map(({ url: _, ...file }) => file);
  expect(withoutUrls(await filesOf())).toEqual(withoutUrls(before));
  expect([before[0]?.state, existsSync(path)]).toEqual(['ready', true]);
});
