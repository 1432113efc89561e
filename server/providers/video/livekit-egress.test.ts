import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mediaRoomId, orgId, participantId, roomId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { fakeMediaKey, signed } from '#server/testing/fake-media-server.ts';
import { type LiveKitStandIn, startLiveKitStandIn } from '#server/testing/livekit-stand-in.ts';
import { liveKit } from './livekit.ts';
import type { EgressOutput } from './livekit-egress.ts';
import type { MediaRoom } from './media-room.ts';
import { VideoEngineError } from './port.ts';

const folder: EgressOutput = { kind: 'folder', path: '/recordings' };
const bucket: EgressOutput = {
  ...{ kind: 's3', bucket: 'rapport', endpoint: 'https://minio.example.com', region: 'eu-test-1' },
  ...{ keyId: 'AK', secretKey: 'the secret of the bucket' },
};
const key = 'org/recordings/segment/parts/egress';

let standIn: LiveKitStandIn;
let room: MediaRoom;
let name: string;
const ada = newId(participantId);
beforeAll(async () => {
  standIn = await startLiveKitStandIn();
});
beforeEach(() => {
  room = { orgId: newId(orgId), roomId: newId(roomId), id: newId(mediaRoomId) };
  name = `${room.orgId}.${room.roomId}.${room.id}`;
});
afterAll(() => standIn.close());

function recorder(
  output: EgressOutput = folder,
  apiSecret = fakeMediaKey.apiSecret,
  urls = [standIn.url],
) {
  const found = liveKit({ urls, apiKey: fakeMediaKey.apiKey, apiSecret }, output).recorder;
  if (!found) throw new Error('no recorder');
  return found;
}

test('tracks are those of participants, with what they show; a closed room has none', async () => {
  expect(await recorder().tracks(room)).toEqual([]);
  const track = standIn.publish(name, ada, 'screen');
  standIn.publish(name, 'egress-recorder', 'camera');
  expect(await recorder().tracks(room)).toEqual([
    { name: track, participantId: ada, source: 'screen' },
  ]);
});

test('a track is recorded into the shared folder, or into the bucket with its key', async () => {
  const track = standIn.publish(name, ada, 'camera');
  await recorder().start(room, track, key);
  const fileOf = () => {
    const request = standIn.egressOfTrack(track)?.request;
    return request?.case === 'track' && request.value.output.value;
  };
  expect(fileOf()).toMatchObject({ filepath: `/recordings/${key}`, disableManifest: true });
  await recorder(bucket).start(room, track, key);
  expect(fileOf()).toMatchObject({
    filepath: key,
    output: {
      case: 's3',
      value: {
        ...{ accessKey: 'AK', secret: 'the secret of the bucket', region: 'eu-test-1' },
        ...{ bucket: 'rapport', endpoint: 'https://minio.example.com', forcePathStyle: true },
      },
    },
  });
});

test('a recording is reported while it runs and when it is over, with its file', async () => {
  const track = standIn.publish(name, ada, 'microphone');
  const one = recorder();
  const egress = await one.start(room, track, key);
  const running = { name: egress, key, isOver: false, file: null, error: null };
  expect(await one.reports({ room })).toEqual([running]);
  await one.stop(egress);
  const info = standIn.egressOfTrack(track);
  if (!info) throw new Error('not recorded');
  const startedAt = new Date('2026-11-26T10:00:00.250Z');
  standIn.finish(info, { extension: 'ogg', sizeBytes: 5_000_000_000, startedAt });
  const file = { key: `${key}.ogg`, mimeType: 'audio/ogg', sizeBytes: 5_000_000_000, startedAt };
  const over = [{ ...running, isOver: true, file }];
  expect(await one.reports({ name: egress })).toEqual(over);
  // Another installation writes elsewhere.
  expect(await recorder({ kind: 'folder', path: '/other' }).reports({ room })).toEqual([]);
});

test('to stop what is over, or unknown, is no error; what failed says why', async () => {
  const track = standIn.publish(name, ada, 'camera');
  const one = recorder();
  const egress = await one.start(room, track, key);
  const info = standIn.egressOfTrack(track);
  if (!info) throw new Error('not recorded');
  standIn.finish(info, { status: 4, error: 'no space left' });
  await one.stop(egress);
  await one.stop('EG_unknown');
  expect(await one.reports({ name: egress })).toMatchObject([
    { isOver: true, file: null, error: 'no space left' },
  ]);
  expect(await one.reports({ name: 'EG_unknown' })).toEqual([]);
});

test('refusals and silence are VideoEngineErrors without a secret', async () => {
  const track = standIn.publish(name, ada, 'camera');
  const wrongKey = recorder(bucket, 'the secret of somebody else, long enough');
  const nobody = recorder(bucket, fakeMediaKey.apiSecret, ['ws://127.0.0.1:1']);
  const attempts: (() => Promise<unknown>)[] = [
    () => wrongKey.start(room, track, key),
    () => wrongKey.stop('EG_1'),
    () => wrongKey.tracks(room),
    () => recorder(bucket).start(room, 'TR_unknown', key),
    () => nobody.start(room, track, key),
    () => nobody.reports({ room }),
  ];
  for (const attempt of attempts) {
    const error = await attempt().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(VideoEngineError);
    expect(String(error)).not.toMatch(/secret/);
  }
});

test('another node is asked where the first does not answer', async () => {
  const track = standIn.publish(name, ada, 'camera');
  const one = recorder(folder, fakeMediaKey.apiSecret, ['ws://127.0.0.1:1', standIn.url]);
  expect(await one.tracks(room)).toHaveLength(1);
  expect(await one.start(room, track, key)).toMatch(/^EG_/);
});

test('events about tracks and recordings mean something only where Egress is set up', async () => {
  const track = standIn.publish(name, ada, 'camera');
  const { apiKey, apiSecret } = fakeMediaKey;
  const access = { urls: [standIn.url], apiKey, apiSecret };
  const [withEgress, without] = [liveKit(access, folder), liveKit(access)];
  await withEgress.recorder?.start(room, track, key);
  const egressInfo = standIn.egressOfTrack(track)?.toJson();
  const told = [
    { id: 'EV_1', event: 'track_published', room: { name } },
    { id: 'EV_2', event: 'egress_started', egressInfo },
  ];
  const kinds: unknown[] = [];
  for (const event of told) {
    const { body, authorization } = await signed(event);
    kinds.push((await withEgress.readEvent(body, authorization))?.kind);
    expect(await without.readEvent(body, authorization)).toBe(null);
  }
  expect(kinds).toEqual(['published', 'egress']);
});
