import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { retryRecording } from '#domain/recordings/contract.ts';
import { disk, leftOnDisk } from '#server/platform/disk-room.ts';
import { FilesFullError } from '#server/providers/files/port.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  begin,
  complete,
  partsOf,
  recorded,
  recordedCall,
  recordingOf,
  sendPart,
  type Upload,
  uploadSegment,
} from '#server/testing/recorded-call.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { Joining, joinDue } from './join-due.ts';
import { joinSegment } from './join-segment.ts';
import { runJoin } from './run-join.ts';
import { deleteSpareParts } from './spare-parts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const parts = partsOf(recorded.camera, 6);
type Here = Awaited<ReturnType<typeof recordedCall>>;
const filesOf = async ({ ada, call }: Here) =>
  (await recordingOf(ada, call.id)).people.flatMap(({ tracks }) => tracks.flatMap((t) => t.files));
const endCall = (call: Here['call']) =>
  app.owner.query('update calls set ended_at = now(), duration_sec = 6 where id = $1', [call.id]);
/** Makes the last part look old, as that of a page that is gone. */
const quiet = async (segmentId: string) => {
  await app.owner.query(
    `update recorded_segments set last_part_at = now() - interval '2 minutes',
      started_at = now() - interval '2 minutes' where id = $1`,
    [segmentId],
  );
  await nextAttempt();
};
/** Lets the time until files are looked at again pass. */
const nextAttempt = () =>
  app.owner.query(`update recorded_media set next_attempt_at = now() where state = 'waiting'`);

/** Fetches a recording without a session, as a player does. */
async function fetchMedia(url: string | null | undefined, headers = {}, method?: 'HEAD') {
  const reply = await app.http.inject({ method: method ?? 'GET', url: url ?? '/none', headers });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

/** Returns the times of the first picture and of the one shown at a second, as a player finds it. */
async function pictureAt(bytes: Buffer, second: number) {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  const packet = video && (await new EncodedPacketSink(video).getKeyPacket(second));
  return { codec: await video?.getCodec(), sound: await audio?.getCodec(), at: packet?.timestamp };
}

test('a completed segment becomes an MP4 in which a player can jump to any second', async () => {
  const here = await recordedCall(app);
  const bo = await here.join('Bo');
  await uploadSegment(app, bo, parts);
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ state: 'recording' });
  await endCall(here.call);
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ state: 'processing' });
  await joinDue(app.services);
  const recording = await recordingOf(here.ada, here.call.id);
  expect(recording).toMatchObject({ state: 'ready', people: [{ name: 'Bo', kind: 'guest' }] });
  const [file] = await filesOf(here);
  expect(file).toMatchObject({ state: 'ready', mimeType: 'video/mp4', hasVideo: true });
  expect(file?.durationMs).toBeGreaterThan(6000);
  expect(recording.durationMs).toBeGreaterThanOrEqual(file?.durationMs ?? 0);
  // Chromium's test microphone beeps once a second.
  expect(file?.waveform.length).toBeGreaterThan(55);
  expect(Math.max(...(file?.waveform ?? []))).toBeGreaterThan(150);
  const { status, headers, bytes } = await fetchMedia(file?.url);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'cache-control': expect.stringMatching(/^private, max-age=/),
  });
  expect(await pictureAt(bytes, 4.5)).toEqual({
    codec: 'avc',
    sound: 'opus',
    at: expect.closeTo(4, 0),
  });
});

test('sound without a camera becomes an MP4 of sound', async () => {
  const here = await recordedCall(app);
  const more = { mimeType: 'audio/webm;codecs=opus', hasVideo: false };
  await uploadSegment(app, await here.join('Bo'), partsOf(recorded.microphone, 3), more);
  await joinDue(app.services);
  expect(await filesOf(here)).toMatchObject([
    { state: 'ready', mimeType: 'audio/mp4', hasVideo: false },
  ]);
});

test('ranges are answered with 206, those beyond the end with 416, and HEAD without bytes', async () => {
  const here = await recordedCall(app);
  await uploadSegment(app, await here.join('Bo'), parts);
  await joinDue(app.services);
  const [file] = await filesOf(here);
  const whole = (await fetchMedia(file?.url)).bytes;
  const ask = (range: string) => fetchMedia(file?.url, { range });
  const size = whole.length;
  for (const [range, start, end] of [
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, size - 1],
    ['bytes=-50', size - 50, size - 1],
    [`bytes=10-${size + 5}`, 10, size - 1],
  ] as const) {
    const { status, headers, bytes } = await ask(range);
    expect([range, status, headers['content-range']]).toEqual([
      range,
      206,
      `bytes ${start}-${end}/${size}`,
    ]);
    expect(bytes).toEqual(whole.subarray(start, end + 1));
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0'])
    expect(await ask(range)).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
  for (const range of ['bytes=9-3', 'lines=1-2', 'bytes=0-1,4-5'])
    expect((await ask(range)).status).toBe(200);
  expect(await fetchMedia(file?.url, {}, 'HEAD')).toMatchObject({
    status: 200,
    headers: { 'content-length': String(size) },
    bytes: Buffer.alloc(0),
  });
});

test('an address is bound to its file and organization, and expires', async () => {
  const here = await recordedCall(app);
  await uploadSegment(app, await here.join('Bo'), parts);
  await uploadSegment(app, await here.join('Cleo'), parts);
  await joinDue(app.services);
  const [bos, cleos] = await filesOf(here);
  const refused = { status: 403 };
  const swapped = bos?.url?.replace(bos.id, cleos?.id ?? '');
  expect(await fetchMedia(swapped)).toMatchObject(refused);
  expect(await fetchMedia(bos?.url?.replace('/media?', '/poster?'))).toMatchObject(refused);
  expect(await fetchMedia(bos?.url?.split('?')[0])).toMatchObject(refused);
  const later = bos?.url?.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 60}`);
  expect(await fetchMedia(later)).toMatchObject(refused);
  vi.useFakeTimers({ now: Date.now() + 21 * 60_000, toFake: ['Date'] });
  expect(await fetchMedia(bos?.url)).toMatchObject(refused);
  vi.useRealTimers();
  const ben = await newOrganization(app);
  const reply = await ben.send('GET', `/api/calls/${here.call.id}/recording`);
  expect(reply.status).toBe(404);
});

test('what a page that was killed has sent is playable up to its last whole packet', async () => {
  const here = await recordedCall(app);
  const bo = await here.join('Bo');
  const upload = (await begin(app, bo)).body as Upload;
  for (const [number, bytes] of parts.slice(0, 4).entries())
    await sendPart(app, upload, number, bytes);
  await quiet(upload.segmentId);
  await joinDue(app.services);
  // The participant is still in the call: the page may only be slow.
  expect(await filesOf(here)).toMatchObject([{ state: 'waiting', url: null }]);
  await app.owner.query('update attendances set left_at = now() where id = $1', [bo.id]);
  await nextAttempt();
  await joinDue(app.services);
  const [file] = await filesOf(here);
  expect(file).toMatchObject({ state: 'ready' });
  expect(file?.durationMs).toBeGreaterThan(3000);
  expect(file?.durationMs).toBeLessThan(5500);
  // The page comes back, and sends the rest.
  for (const number of [4, 5])
    await sendPart(app, upload, number, parts[number] ?? Buffer.alloc(0));
  await complete(app, upload, 6);
  expect(await filesOf(here)).toMatchObject([{ state: 'waiting' }]);
  await joinDue(app.services);
  const [whole] = await filesOf(here);
  expect(whole?.durationMs).toBeGreaterThan(6000);
});

test('R19-60: what is not due yet is put off, hides nothing that waits behind it, and is due with its end', async () => {
  const here = await recordedCall(app);
  const bo = await here.join('Bo');
  const uploads: Upload[] = [];
  for (let count = 0; count < 8; count += 1) uploads.push((await begin(app, bo)).body as Upload);
  const [early, late] = [uploads[0], uploads.at(-1)];
  if (!early || !late) throw new Error('no uploads');
  for (const upload of [early, late])
    for (const [number, bytes] of parts.entries()) await sendPart(app, upload, number, bytes);
  await complete(app, late, parts.length);
  // Five are looked at, of which none is due.
  const look = async () => {
    const { rows } = await app.owner.query(
      'select segment_id as id from segments_to_join(1, 10) where org_id = $1',
      [here.org],
    );
    return rows.map(({ id }) => id);
  };
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([late.segmentId]);
  await joinDue(app.services);
  await complete(app, early, parts.length);
  expect(await look()).toEqual([early.segmentId]);
  await joinDue(app.services);
  const states = (await filesOf(here)).map(({ state }) => state);
  expect(states.filter((state) => state === 'ready')).toHaveLength(2);
});

test('a missing part costs its own seconds, not those after it', async () => {
  const here = await recordedCall(app);
  const bo = await here.join('Bo');
  const upload = (await begin(app, bo)).body as Upload;
  for (const number of [0, 1, 3, 4, 5])
    await sendPart(app, upload, number, parts[number] ?? Buffer.alloc(0));
  await complete(app, upload, 6);
  await joinDue(app.services);
  expect(await filesOf(here)).toMatchObject([{ state: 'waiting' }]);
  await quiet(upload.segmentId);
  await joinDue(app.services);
  const [file] = await filesOf(here);
  expect(file?.durationMs).toBeGreaterThan(6000);
  const { bytes } = await fetchMedia(file?.url);
  expect(await pictureAt(bytes, 5)).toMatchObject({ at: expect.closeTo(4, 0) });
});

test('what was stored before the disk was full is playable, also where the joined file found no room', async () => {
  const here = await recordedCall(app);
  const bo = await here.join('Bo');
  const upload = (await begin(app, bo)).body as Upload;
  for (const [number, bytes] of parts.slice(0, 4).entries())
    await sendPart(app, upload, number, bytes);
  const full = vi.spyOn(app.services.files, 'append').mockRejectedValue(new FilesFullError());
  const refused = await sendPart(app, upload, 4, parts[4] ?? Buffer.alloc(0));
  expect(refused.status).toBe(507);
  full.mockRestore();
  await quiet(upload.segmentId);
  await app.owner.query('update attendances set left_at = now() where id = $1', [bo.id]);
  const noRoom = vi.spyOn(app.services.files, 'put').mockRejectedValue(new FilesFullError());
  await joinDue(app.services);
  expect(await filesOf(here)).toMatchObject([{ state: 'waiting' }]);
  noRoom.mockRestore();
  await nextAttempt();
  await joinDue(app.services);
  const [file] = await filesOf(here);
  expect(file?.durationMs).toBeGreaterThan(3000);
});

test('R19-70: a recording waits for room on the disk for as long as it takes, and is then joined', async () => {
  const here = await recordedCall(app);
  const { segmentId } = await uploadSegment(app, await here.join('Bo'), parts);
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  const free = vi.spyOn(disk, 'freeBytes').mockResolvedValue(leftOnDisk + 2 * bytes - 1);
  for (let turn = 0; turn < 7; turn += 1) {
    await joinDue(app.services);
    await nextAttempt();
  }
  const { rows } = await app.owner.query(
    'select attempts, state, error from recorded_media where segment_id = $1',
    [segmentId],
  );
  expect(rows).toEqual([{ attempts: 0, state: 'waiting', error: null }]);
  free.mockResolvedValue(leftOnDisk + 2 * bytes);
  await joinDue(app.services);
  free.mockRestore();
  expect(await filesOf(here)).toMatchObject([{ state: 'ready' }]);
});

test('a file is playable before its waveform is measured, which a server that stops makes up for', async () => {
  const here = await recordedCall(app);
  await uploadSegment(app, await here.join('Bo'), parts);
  // As a long one, whose loudness is measured afterwards.
  const joining = new Joining(app.services, (services, segment, signal) =>
    joinSegment(services, segment, signal, 0),
  );
  const { put } = app.services.files;
  const stored = vi.spyOn(app.services.files, 'put').mockImplementation(async (...args) => {
    const file = await put(...args);
    void joining.stop();
    return file;
  });
  await Promise.all(await joining.begin());
  stored.mockRestore();
  const [file] = await filesOf(here);
  expect(file).toMatchObject({ state: 'ready', waveform: [] });
  expect((await fetchMedia(file?.url)).status).toBe(200);
  await deleteSpareParts(app.services);
  await joinDue(app.services);
  const [measured] = await filesOf(here);
  expect(measured?.waveform.length).toBeGreaterThan(55);
  expect((await fetchMedia(measured?.url)).status).toBe(200);
});

test('segments without a whole packet are removed, and files that are no recording, too', async () => {
  const here = await recordedCall(app);
  const bo = await here.join('Bo');
  const empty = (await begin(app, bo)).body as Upload;
  await complete(app, empty, 0);
  await uploadSegment(app, bo, [Buffer.from('no recording at all')]);
  await uploadSegment(app, bo, [recorded.camera.subarray(0, 120)]);
  await joinDue(app.services);
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ people: [] });
  const { rows } = await app.owner.query(
    'select 1 from recorded_segments s join recorded_tracks t on t.id = s.track_id where t.call_id = $1',
    [here.call.id],
  );
  expect(rows).toEqual([]);
});

test('a join that fails is tried later and later, then failed, until a member has it tried again', async () => {
  const here = await recordedCall(app);
  await uploadSegment(app, await here.join('Bo'), parts);
  await uploadSegment(app, await here.join('Cleo'), parts);
  await endCall(here.call);
  const { get } = app.services.files;
  const cleos = await app.owner.query(
    `select p.file_key from recorded_parts p join recorded_segments s on s.id = p.segment_id
      join recorded_tracks t on t.id = s.track_id where t.name = 'Cleo' and t.call_id = $1 limit 1`,
    [here.call.id],
  );
  const broken = vi.spyOn(app.services.files, 'get').mockImplementation((key, range) => {
    if (key === cleos.rows[0].file_key) throw new Error('the store is down');
    return get(key, range);
  });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await joinDue(app.services);
    await nextAttempt();
  }
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ state: 'partial' });
  broken.mockRestore();
  await joinDue(app.services);
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ state: 'partial' });
  await here.ada.call(retryRecording, { params: { id: here.call.id } });
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ state: 'processing' });
  await joinDue(app.services);
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ state: 'ready' });
});

test('the parts of a joined segment are deleted, and one that is sent again is still known', async () => {
  const here = await recordedCall(app);
  const upload = await uploadSegment(app, await here.join('Bo'), parts);
  await joinDue(app.services);
  await deleteSpareParts(app.services);
  const folder = join(app.filesFolder, here.org, 'recordings', upload.segmentId);
  expect(readdirSync(folder).length).toBe(1);
  expect((await sendPart(app, upload, 0, parts[0] ?? Buffer.alloc(0))).status).toBe(200);
  expect(await sendPart(app, upload, 99, parts[0] ?? Buffer.alloc(0))).toMatchObject({
    status: 403,
  });
  const [file] = await filesOf(here);
  expect((await fetchMedia(file?.url)).status).toBe(200);
});

test('R23: parts of one organization that cannot be deleted keep those of no other', async () => {
  const folders: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const here = await recordedCall(app);
    const { segmentId } = await uploadSegment(app, await here.join('Bo'), parts);
    folders.push(join(app.filesFolder, here.org, 'recordings', segmentId));
  }
  await joinDue(app.services);
  const left = () => folders.map((folder) => readdirSync(folder).length).toSorted();
  const before = Math.max(...left());
  const broken = vi.spyOn(app.services.files, 'deleteAll').mockImplementationOnce(() => {
    throw new Error('the store is down');
  });
  await deleteSpareParts(app.services);
  broken.mockRestore();
  expect(left()).toEqual([1, before]);
  await deleteSpareParts(app.services);
  expect(left()).toEqual([1, 1]);
});

test('no organization waits for the files of another one, whose own wait for each other', async () => {
  const [slow, other] = [await recordedCall(app), await recordedCall(app)];
  for (const here of [slow, slow, slow, other]) {
    const upload = await uploadSegment(app, await here.join('Cleo'), partsOf(recorded.camera, 1));
    expect(upload).toBeTruthy();
  }
  const begun: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const joining = new Joining(app.services, async (_, { orgId }) => {
    begun.push(orgId);
    if (orgId === slow.org) await released;
    return null;
  });
  const joins = await joining.begin();
  expect(joins).toHaveLength(4);
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  expect(new Set(begun)).toEqual(new Set([slow.org, other.org]));
  expect(await joining.begin(), 'none is joined twice').toHaveLength(1);
  expect(begun.filter((org) => org === slow.org)).toHaveLength(1);
  release();
  await joining.stop();
  const { rows } = await app.owner.query('select org_id from segments_to_join(1, 10)');
  expect(rows.map(({ org_id }) => org_id).sort()).toEqual([slow.org, other.org].sort());
  await joinDue(app.services);
});

test('the joining process reads and writes its own folder only, and ends with the server or its time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-join-'));
  const program = join(folder, 'joiner.mjs');
  const files = {
    pieces: [join(folder, 'piece')],
    output: join(folder, 'output'),
    poster: join(folder, 'poster'),
    measures: true,
    sizeBytes: 1,
  };
  const within = (leastMs: number) => ({ leastMs, msPerMegabyte: 1, mostMs: 60_000 });
  const never = new AbortController().signal;
  const secret = join(app.filesFolder, 'secret');
  writeFileSync(secret, 'a secret');
  writeFileSync(program, `import { readFileSync } from 'node:fs'; readFileSync('${secret}');`);
  await expect(
    runJoin(folder, files, never, { program, patience: within(20_000) }),
  ).rejects.toThrow(/Access to this API has been restricted/);
  expect(readFileSync(secret, 'utf8')).toBe('a secret');
  writeFileSync(program, 'for (;;);');
  await expect(runJoin(folder, files, never, { program, patience: within(1000) })).rejects.toThrow(
    /took too long/,
  );
  const stopping = new AbortController();
  const ended = runJoin(folder, files, stopping.signal, { program, patience: within(60_000) });
  stopping.abort();
  await expect(ended).rejects.toThrow();
  rmSync(folder, { recursive: true });
});
