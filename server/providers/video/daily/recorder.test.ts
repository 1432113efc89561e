import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { orgId, participantId, recordedSegmentId, roomId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { VideoEngineError } from '../port.ts';
import { daily } from './daily.ts';
import { roomNameOf } from './room-name.ts';

let standIn: DailyStandIn;
beforeAll(async () => {
  standIn = await new DailyStandIn().open();
});
afterAll(() => standIn.close());

const turn = async () => undefined;
const engine = (records = true) =>
  daily(
    {
      ...{ apiBase: `${standIn.url}/v1`, apiKey: standIn.apiKey, domainUrl: standIn.url },
      ...{ hasWebhook: true, records },
    },
    { wait: async () => undefined, random: () => 0.5 },
  );
const room = { orgId: newId(orgId), roomId: newId(roomId) };
const name = roomNameOf(room);
const people = [newId(participantId), newId(participantId)];
const visit = {
  ...room,
  ...{
    participantId: newId(participantId),
    kind: 'staff' as const,
    isHost: true,
    mustKnock: false,
  },
  ...{ name: 'Ada', publicUrl: 'https://calls.example.com', meetingToken: 'ours' },
  expiresAt: new Date(Date.now() + 290_000),
};
function recorder() {
  const { page } = engine();
  if (!page?.recorder) throw new Error('it does not record');
  return page.recorder;
}
const refused = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(VideoEngineError);

beforeEach(async () => {
  standIn.rooms.clear();
  standIn.recordings.all.length = 0;
  standIn.asked.length = 0;
  standIn.next.length = 0;
  await engine().admit(visit, turn);
  standIn.recordings.present.set(name, people);
});

test('rooms can be recorded only if the operator wants it, older rooms from the next opening on', async () => {
  expect(standIn.rooms.get(name)?.config).toMatchObject({ enable_recording: 'cloud' });
  standIn.rooms.clear();
  expect(engine(false).page?.recorder).toBe(null);
  await engine(false).admit(visit, turn);
  expect(standIn.rooms.get(name)?.config).not.toHaveProperty('enable_recording');
  await engine().admit(visit, turn);
  const updates = standIn.asked.filter(
    ({ path, method }) => method === 'POST' && path === `/rooms/${name}`,
  );
  expect(updates.map(({ body }) => body)).toEqual([{ properties: { enable_recording: 'cloud' } }]);
});

test('who is present is known by the ids of our tokens, and strangers are counted', async () => {
  standIn.recordings.present.set(name, [...people, null, 'somebody']);
  expect(await recorder().present(room, turn)).toEqual([...people, null, null]);
  standIn.recordings.present.set(
    name,
    Array.from({ length: 201 }, () => people[0] ?? null),
  );
  expect((await recorder().present(room, turn)).at(-1), 'of those left off').toBe(null);
});

test('a recording is started and stopped by our own id, listed, fetched, and deleted', async () => {
  const id = newId(recordedSegmentId);
  await recorder().start(room, id, turn);
  expect(standIn.asked.at(-1)).toMatchObject({
    path: `/rooms/${name}/recordings/start`,
    body: { type: 'cloud', instanceId: id },
  });
  const [running] = standIn.recordings.running(name);
  if (!running) throw new Error('nothing runs');
  expect(await recorder().ofRoom(room, turn)).toMatchObject([{ id: running.id, isOver: false }]);
  await refused(recorder().start(room, newId(recordedSegmentId), turn));
  await recorder().stop(room, id, turn);
  expect(standIn.recordings.running(name)).toEqual([]);
  await recorder().stop(room, id, turn);
  standIn.recordings.finish(running, Buffer.from('a film'));
  const [over] = await recorder().ofRoom(room, turn);
  expect(over).toEqual({
    id: running.id,
    startedAt: new Date(running.start_ts * 1000),
    isOver: true,
  });
  expect(await recorder().roomOf(running.id, turn)).toEqual(room);
  const { content, sizeBytes } = await recorder().open(running.id, turn);
  expect([String(await buffer(content)), sizeBytes]).toEqual(['a film', 6]);
  await recorder().delete(running.id, turn);
  await recorder().delete(running.id, turn);
  expect(await recorder().ofRoom(room, turn)).toEqual([]);
  expect(await recorder().roomOf(running.id, turn)).toBe(null);
});

test.each([
  ['a sentence in place of a link', { download_link: 'access is not allowed', expires: 0 }],
  ['a link without encryption', { download_link: 'http://example.com/film.mp4', expires: 0 }],
  ['a file that is not there', undefined],
])('%s is a VideoEngineError', async (_name, body) => {
  await recorder().start(room, newId(recordedSegmentId), turn);
  const [running] = standIn.recordings.running(name);
  if (body) standIn.next.push({ status: 200, body });
  await refused(recorder().open(running?.id ?? '', turn));
});

test('Daily’s failures are errors for each request, after it was tried three times', async () => {
  const tries = [
    () => recorder().present(room, turn),
    () => recorder().start(room, newId(recordedSegmentId), turn),
    () => recorder().stop(room, newId(recordedSegmentId), turn),
    () => recorder().ofRoom(room, turn),
    () => recorder().open('x', turn),
    () => recorder().delete('x', turn),
  ];
  for (const attempt of tries) {
    standIn.next.push('drop', { status: 500, body: {} }, 'drop');
    await refused(attempt());
  }
});
