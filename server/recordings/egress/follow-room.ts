import type { MediaRoomId } from '#domain/ids.ts';
import type { RecordingChange } from '#server/consent/recording-events.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import type { PublishedTrack, TrackRecorder } from '#server/providers/video/track-recorder.ts';
import type { Services } from '#server/services.ts';
import { RoomPasses } from '../room-passes.ts';
import { checkEgress } from './check-egress.ts';
import {
  addEgress,
  type EgressRow,
  type RecordedRoom,
  readEgressRows,
  readRecordedRoom,
} from './egress-rows.ts';
import type { Pass } from './pass.ts';
import { startEgress } from './start-egress.ts';
import { stopEgress } from './stop-egress.ts';

const passesOf = new WeakMap<Database, RoomPasses>();

/**
 * Has the media server record exactly the tracks of those who are in the room's call and have agreed, while the call is
 * recorded. Without a recorder, nothing happens: the pages record themselves.
 * @returns once it was asked for what holds now
 */
export function followRoom(services: Services, room: RecordingChange): Promise<void> {
  const recorder = services.video.mediaServer?.recorder;
  if (!recorder) return Promise.resolve();
  const passes = passesOf.get(services.database) ?? new RoomPasses();
  passesOf.set(services.database, passes);
  return passes.run(room.roomId, () => runPass(services, recorder, room));
}

async function runPass(
  services: Services,
  recorder: TrackRecorder,
  { orgId, roomId }: RecordingChange,
): Promise<void> {
  const tenant = tenantOf(services.database, { kind: 'system', name: 'egress', orgId }, null);
  try {
    await followOnce({ services, recorder, tenant, roomId });
  } catch (error) {
    services.log.warn(
      { err: error, orgId, roomId },
      'what the media server records was not changed',
    );
  }
}

async function followOnce(pass: Pass): Promise<void> {
  const { tenant, roomId } = pass;
  const [wanted, rows] = await tenant.connection(async (at) => [
    await readRecordedRoom(at, roomId),
    await readEgressRows(at, roomId),
  ]);
  const isAllowed = (row: EgressRow) =>
    wanted?.mediaRoomId === row.mediaRoomId && wanted.agreed.includes(row.participantId);
  // Before anything else: a withdrawal takes effect within a second.
  const forbidden = rows.filter((row) => !row.isStopped && !isAllowed(row));
  await Promise.all(forbidden.map((row) => stopEgress(pass, row)));
  const tracks = await publishedTracks(pass, wanted);
  const left = rows.filter((row) => !forbidden.includes(row));
  await Promise.all(left.map((row) => checkRow(pass, row, tracks)));
  if (wanted?.mediaRoomId)
    await startMissing(pass, { ...wanted, mediaRoomId: wanted.mediaRoomId }, rows, tracks);
}

/** Returns the tracks of those who have agreed. */
async function publishedTracks(
  { recorder, tenant, roomId }: Pass,
  wanted: RecordedRoom | null,
): Promise<PublishedTrack[]> {
  if (!wanted?.mediaRoomId || wanted.agreed.length === 0) return [];
  const tracks = await recorder.tracks({ orgId: tenant.orgId, roomId, id: wanted.mediaRoomId });
  return tracks.filter(({ participantId }) => wanted.agreed.includes(participantId));
}

/** A track that could not be recorded and is no longer sent is given up. */
async function checkRow(pass: Pass, row: EgressRow, tracks: readonly PublishedTrack[]) {
  const isSent = tracks.some(({ name }) => name === row.trackName);
  if (row.egressName === null && !row.isStopped && !isSent) await stopEgress(pass, row);
  else if (row.isDue) await checkEgress(pass, row);
}

async function startMissing(
  pass: Pass,
  { callId, mediaRoomId }: RecordedRoom & { mediaRoomId: MediaRoomId },
  rows: readonly EgressRow[],
  tracks: readonly PublishedTrack[],
): Promise<void> {
  const { tenant, roomId } = pass;
  const known = new Set(rows.map(({ trackName }) => trackName));
  await Promise.all(
    tracks.map(async (track) => {
      if (known.has(track.name)) return;
      const at = { callId, roomId, mediaRoomId };
      const row = await tenant.transaction((tx) => addEgress(tx, at, track));
      if (row) await startEgress(pass, row);
    }),
  );
}
