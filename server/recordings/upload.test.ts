import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { largestPart } from '#domain/recordings/contract.ts';
import { FilesFullError } from '#server/providers/files/port.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  answerRecording,
  begin,
  complete,
  partsOf,
  type RecordedParticipant,
  recorded,
  recordedCall,
  sendPart,
  sendPoster,
  type Upload,
} from '#server/testing/recorded-call.ts';
import { smallPng } from '#server/testing/requests.ts';
import { UploadRates, uploadBounds } from './bounds.ts';

let app: TestApp;
let here: Awaited<ReturnType<typeof recordedCall>>;
let bo: RecordedParticipant;
let upload: Upload;
beforeAll(async () => {
  app = await openTestApp();
  here = await recordedCall(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  bo = await here.join('Bo');
  upload = (await begin(app, bo)).body as Upload;
});

const parts = partsOf(recorded.camera, 5);
const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = parts;

/** Returns the segment's parts as they are stored, in the order of their numbers. */
async function storedParts({ segmentId }: Upload): Promise<Buffer> {
  const { rows } = await app.owner.query(
    'select file_key, position::int, size_bytes from recorded_parts where segment_id = $1 order by number',
    [segmentId],
  );
  return Buffer.concat(
    rows.map((row) =>
      readFileSync(join(app.filesFolder, row.file_key)).subarray(
        row.position,
        row.position + row.size_bytes,
      ),
    ),
  );
}

test('parts that arrive in any order, several at a time, and twice are stored once, byte for byte', async () => {
  const order = [3, 0, 4, 1, 2];
  const send = (number: number) => sendPart(app, upload, number, parts[number] ?? first);
  const replies = await Promise.all(order.map(send));
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect((await send(3)).status).toBe(200);
  expect((await complete(app, upload, 5)).status).toBe(204);
  expect(await storedParts(upload)).toEqual(recorded.camera);
  const { rows } = await app.owner.query(
    'select size_bytes::int, stored_parts, part_count from recorded_segments where id = $1',
    [upload.segmentId],
  );
  expect(rows).toEqual([{ size_bytes: recorded.camera.length, stored_parts: 5, part_count: 5 }]);
});

test('the page says at the end when its first frame was taken, by the server’s clock', async () => {
  const begunAt = async () => {
    const { rows } = await app.owner.query<{ segment: Date; media: Date }>(
      `select s.started_at as segment, m.started_at as media
       from recorded_segments s join recorded_media m on m.segment_id = s.id where s.id = $1`,
      [upload.segmentId],
    );
    return [rows[0]?.segment.getTime(), rows[0]?.media.getTime()];
  };
  const [noted = 0] = await begunAt();
  const part = await sendPart(app, upload, 0, first);
  expect(part.body).toEqual({ receivedAt: expect.any(Number), answeredAt: expect.any(Number) });
  expect(Math.abs((part.body as { receivedAt: number }).receivedAt - noted)).toBeLessThan(60_000);
  await complete(app, upload, 1, { startedAt: noted - 800 });
  expect(await begunAt()).toEqual([noted - 800, noted - 800]);
  await complete(app, upload, 1, { startedAt: noted - 900 });
  expect(await begunAt()).toEqual([noted - 800, noted - 800]);
});

test.each([-61_000, 2_000])(
  'a first frame %i ms from what was noted is not believed',
  async (ms) => {
    const at = async () => {
      const { rows } = await app.owner.query<{ at: Date }>(
        'select started_at as at from recorded_segments where id = $1',
        [upload.segmentId],
      );
      return rows[0]?.at.getTime() ?? 0;
    };
    const noted = await at();
    expect((await complete(app, upload, 0, { startedAt: noted + ms })).status).toBe(204);
    expect(await at()).toBe(noted);
  },
);

test('a part that is sent twice at the same time counts once', async () => {
  const replies = await Promise.all([1, 2, 3].map(() => sendPart(app, upload, 0, first)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  const { rows } = await app.owner.query(
    'select size_bytes::int, stored_parts from recorded_segments where id = $1',
    [upload.segmentId],
  );
  expect(rows).toEqual([{ size_bytes: first.length, stored_parts: 1 }]);
});

test('another content under a stored number is refused, and the first one stays', async () => {
  await sendPart(app, upload, 0, first);
  expect(await sendPart(app, upload, 0, second)).toMatchObject({
    status: 409,
    body: { code: 'part_differs' },
  });
  expect(await storedParts(upload)).toEqual(first);
});

test('nothing begins without consent, outside of the call, or for a call that is not recorded', async () => {
  const silent = await here.join('Silent', null, false);
  expect(await begin(app, silent)).toMatchObject({ status: 403, body: { code: 'not_agreed' } });
  await app.owner.query('update attendances set left_at = now() where id = $1', [bo.id]);
  expect(await begin(app, bo)).toMatchObject({ status: 409, body: { code: 'not_in_call' } });
  expect((await begin(app, { token: 'forged' })).status).toBe(403);
  const other = await recordedCall(app);
  const cleo = await other.join('Cleo');
  await app.owner.query('update captures set stopped_at = now() where call_id = $1', [
    other.call.id,
  ]);
  expect(await begin(app, cleo)).toMatchObject({ status: 403, body: { code: 'not_agreed' } });
});

test('after a withdrawal, no part is stored, also not one of before', async () => {
  await sendPart(app, upload, 0, first);
  await answerRecording(app, here.call.id, bo.id, false);
  const refused = { status: 403, body: { code: 'consent_withdrawn' } };
  expect(await sendPart(app, upload, 1, second)).toMatchObject(refused);
  expect(await storedParts(upload)).toEqual(first);
  // Agreeing again begins a new segment, and does not revive the old one.
  await answerRecording(app, here.call.id, bo.id, true);
  expect(await sendPart(app, upload, 1, second)).toMatchObject(refused);
  const again = (await begin(app, bo)).body as Upload;
  expect((await sendPart(app, again, 0, first)).status).toBe(201);
});

test('parts are accepted after the participant has left and the call has ended', async () => {
  const other = await recordedCall(app);
  const cleo = await other.join('Cleo');
  const late = (await begin(app, cleo)).body as Upload;
  await app.owner.query('update attendances set left_at = now() where id = $1', [cleo.id]);
  await other.ada.send('PUT', `/api/calls/${other.call.id}`, { endForEveryone: true });
  expect((await sendPart(app, late, 0, first)).status).toBe(201);
});

test('R25-A5: ten minutes after a host removed a guest, none of their parts is stored', async () => {
  await sendPart(app, upload, 0, first);
  await app.owner.query(
    'insert into call_removals (org_id, call_id, participant_id) values ($1, $2, $3)',
    [here.org, here.call.id, bo.id],
  );
  const leftBefore = (minutes: number) =>
    app.owner.query(
      `update attendances set left_at = now() - $2 * interval '1 minute' where id = $1`,
      [bo.id, minutes],
    );
  await leftBefore(9);
  expect((await sendPart(app, upload, 1, second)).status).toBe(201);
  await leftBefore(11);
  const refused = { status: 403, body: { code: 'upload_refused' } };
  expect(await sendPart(app, upload, 2, first)).toMatchObject(refused);
});

test('a token admits the parts of its own segment only', async () => {
  const cleo = await here.join('Cleo');
  const cleos = (await begin(app, cleo)).body as Upload;
  const foreign = { segmentId: upload.segmentId, uploadToken: cleos.uploadToken };
  const refused = { status: 403, body: { code: 'upload_refused' } };
  expect(await sendPart(app, foreign, 0, first)).toMatchObject(refused);
  expect(await complete(app, foreign, 1)).toMatchObject(refused);
  expect(await sendPart(app, { ...upload, uploadToken: 'x' }, 0, first)).toMatchObject(refused);
  expect(await sendPart(app, { ...upload, segmentId: randomUUID() }, 0, first)).toMatchObject(
    refused,
  );
  expect(await storedParts(upload)).toEqual(Buffer.alloc(0));
});

test('a part that is damaged, empty, too large, or numbered wrongly is refused', async () => {
  const digest = { 'content-digest': 'sha-256=:AAAA:' };
  expect(await sendPart(app, upload, 0, first, digest)).toMatchObject({
    status: 400,
    body: { code: 'digest_differs' },
  });
  expect((await sendPart(app, upload, 0, Buffer.alloc(0))).status).toBe(400);
  expect((await sendPart(app, upload, 0, Buffer.alloc(largestPart + 1))).status).toBe(413);
  expect((await sendPart(app, upload, 0, Buffer.alloc(largestPart))).status).toBe(201);
  for (const number of [-1, '1.5', 'x', uploadBounds.mostPartsOfSegment])
    expect((await sendPart(app, upload, number, first)).status).toBe(404);
});

test('with a full disk, parts get 507, the call goes on, and they are stored when there is room', async () => {
  const full = vi.spyOn(app.services.files, 'append').mockRejectedValue(new FilesFullError());
  const refused = { status: 507, body: { code: 'storage_full' } };
  expect(await sendPart(app, upload, 0, first)).toMatchObject(refused);
  full.mockRestore();
  // The database may share the disk, so the last gigabyte is left.
  const low = vi.spyOn(app.services.files, 'freeBytes').mockResolvedValue(1000);
  expect(await sendPart(app, upload, 0, first)).toMatchObject(refused);
  expect((await begin(app, bo)).status).toBe(507);
  expect((await here.ada.send('GET', `/api/calls/${here.call.id}`)).status).toBe(200);
  low.mockRestore();
  expect((await sendPart(app, upload, 0, first)).status).toBe(201);
});

test('an organization that has used its share gets 507', async () => {
  const small = await openTestApp({ RECORDINGS_MOST_GB: '0.00001' });
  const there = await recordedCall(small);
  const cleo = await there.join('Cleo');
  await small.owner.query(
    `with track as (
        insert into recorded_tracks (id, org_id, call_id, participant_id, participant_kind, name, source)
        values (gen_random_uuid(), $1, $2, $3, 'guest', 'Cleo', 'screen') returning *
      )
      insert into recorded_segments (id, org_id, track_id, started_at, mime_type, has_video, size_bytes)
      select gen_random_uuid(), org_id, id, now(), 'video/webm', true, 20000 from track`,
    [there.org, there.call.id, cleo.id],
  );
  expect(await begin(small, cleo)).toMatchObject({ status: 507, body: { code: 'storage_full' } });
  const another = await recordedCall(small);
  expect((await begin(small, await another.join('Dan'))).status).toBe(201);
  await small.close();
});

test('a participant who sends too much at once gets 429, before the body is read', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '0.1' });
  const there = await recordedCall(strict);
  const fast = (await begin(strict, await there.join('Cleo'))).body as Upload;
  const other = (await begin(strict, await there.join('Dan'))).body as Upload;
  const bytes = Buffer.alloc(largestPart);
  const statuses: number[] = [];
  for (let number = 0; number < 8; number += 1)
    statuses.push((await sendPart(strict, fast, number, bytes)).status);
  expect(statuses).toContain(429);
  expect((await sendPart(strict, other, 0, first)).status).toBe(201);
  await strict.close();
});

test('a poster is drawn again, and another file is refused', async () => {
  expect((await sendPoster(app, upload, Buffer.from('<svg/>'))).status).toBe(415);
  expect((await sendPoster(app, upload, smallPng)).status).toBe(204);
  const poster = readFileSync(
    join(app.filesFolder, here.org, 'recordings', upload.segmentId, 'poster'),
  );
  expect(poster.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
});

test('the files are readable by their owner only', async () => {
  await sendPart(app, upload, 0, first);
  const folder = join(app.filesFolder, here.org, 'recordings', upload.segmentId, 'parts');
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
});

test('one participant begins a few segments a minute, and others at the same address as many', async () => {
  const narrow = await openTestApp({ RATE_LIMIT_SCALE: '0.2' });
  try {
    const here = await recordedCall(narrow);
    const [bo, cleo] = [await here.join('Bo'), await here.join('Cleo')];
    for (let turn = 0; turn < 12; turn += 1) expect((await begin(narrow, bo)).status).toBe(201);
    expect((await begin(narrow, bo)).status).toBe(429);
    expect((await begin(narrow, cleo)).status).toBe(201);
  } finally {
    await narrow.close();
  }
});

test('R21-52: beginning and completing segments wait for a turn of their organization', async () => {
  const turn = vi.spyOn(UploadRates.prototype, 'segmentTurn').mockResolvedValue(false);
  for (const { status } of [await begin(app, bo), await complete(app, upload, 1)]) {
    expect(status).toBe(429);
  }
  const whose = expect.objectContaining({ orgId: here.ada.user.orgId, participantId: bo.id });
  expect(turn.mock.calls.map(([sender]) => sender)).toEqual([whose, whose]);
  turn.mockRestore();
  expect((await complete(app, upload, 1)).status).toBe(204);
});

test('R26-B8: the time for which a segment waits is part of its age', async () => {
  const turn = vi.spyOn(UploadRates.prototype, 'segmentTurn').mockImplementation(async () => {
    vi.setSystemTime(Date.now() + 5_000);
    return true;
  });
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { segmentId } = (await begin(app, bo, { ageMs: 1_000 })).body as Upload;
    const { rows } = await app.owner.query(
      'select extract(epoch from now() - started_at)::float8 as age from recorded_segments where id = $1',
      [segmentId],
    );
    expect(rows[0]?.age).toBeGreaterThanOrEqual(6);
  } finally {
    vi.useRealTimers();
    turn.mockRestore();
  }
});
