import {
  type CallId,
  type MediaRoomId,
  type ParticipantId,
  type RecordedSegmentId,
  type RoomId,
  recordedMediaId,
  recordedSegmentId,
} from '#domain/ids.ts';
import { mayCapture } from '#server/consent/agreed.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { PublishedTrack } from '#server/providers/video/track-recorder.ts';
import { trackOf } from '../recorded-track.ts';

/** What is to be recorded in a room now. */
export interface RecordedRoom {
  callId: CallId;
  /** Null while the call has no media. */
  mediaRoomId: MediaRoomId | null;
  /** Who is in the call and has agreed. */
  agreed: ParticipantId[];
}

const readRoom: Statement = {
  name: 'room_recorded_by_egress',
  text: `select c.id as "callId",
      (select m.id from media_rooms m
        where m.org_id = c.org_id and m.room_id = c.room_id and m.closed_at is null) as "mediaRoomId",
      (select coalesce(array_agg(a.id), '{}') from attendances a
        where a.org_id = c.org_id and a.call_id = c.id and a.left_at is null
          and coalesce((select 'recording' = any (s.agreed) from consents s
            where s.org_id = a.org_id and s.participant_id = a.id and 'recording' = any (s.asked)
            order by s.id desc limit 1), false)) as agreed
    from calls c
    where c.org_id = $1 and c.room_id = $2 and c.ended_at is null
      and exists (select from captures k where k.org_id = c.org_id and k.call_id = c.id
        and k.kind = 'recording' and k.stopped_at is null)`,
};

/** Returns null while nothing is to be recorded. */
export async function readRecordedRoom(
  { run, tenant }: TenantConnection,
  room: RoomId,
): Promise<RecordedRoom | null> {
  const [row] = await run<RecordedRoom & Record<string, unknown>>(readRoom, [tenant.orgId, room]);
  return row ?? null;
}

/** A recording that the media server was asked for. */
export interface EgressRow {
  segmentId: RecordedSegmentId;
  participantId: ParticipantId;
  mediaRoomId: MediaRoomId;
  trackName: string;
  /** Null until the media server has accepted it. */
  egressName: string | null;
  isStopped: boolean;
  /** It is to be tried again, or asked about. */
  isDue: boolean;
}
const columns = `segment_id as "segmentId", participant_id as "participantId", media_room_id as "mediaRoomId",
  track_name as "trackName", egress_name as "egressName", stopped_at is not null as "isStopped",
  next_attempt_at <= now() as "isDue"`;
const readEgresses: Statement = {
  name: 'egresses_of_room',
  text: `select ${columns} from recorded_egresses where org_id = $1 and room_id = $2`,
};
export const readEgressRows = ({ run, tenant }: TenantConnection, room: RoomId) =>
  run<EgressRow & Record<string, unknown>>(readEgresses, [tenant.orgId, room]);

const insertEgress: Statement = {
  name: 'insert_egress',
  text: `insert into recorded_egresses
      (segment_id, org_id, call_id, room_id, media_room_id, participant_id, track_name)
    values ($2, $1, $3, $4, $5, $6, $7) on conflict do nothing returning ${columns}`,
};
// The media server says when the first frame was sent, and which codec it has.
const insertSegment: Statement = {
  name: 'insert_segment_of_egress',
  text: `with added as (
      insert into recorded_segments (id, org_id, track_id, started_at, mime_type, has_video)
      values ($2, $1, $3, now(), $4, $5) returning *
    )
    insert into recorded_media (id, org_id, track_id, segment_id, state, started_at)
    select $6, org_id, track_id, id, 'waiting', started_at from added`,
};

/**
 * Adds the segment of a published track, if its person has agreed and nothing records it yet.
 * @returns null otherwise
 */
export async function addEgress(
  tx: TenantConnection,
  { callId, roomId, mediaRoomId }: { callId: CallId; roomId: RoomId; mediaRoomId: MediaRoomId },
  { name, participantId, source }: PublishedTrack,
): Promise<EgressRow | null> {
  const { orgId } = tx.tenant;
  if (!(await mayCapture(tx, callId, participantId, 'recording'))) return null;
  const segmentId = newId(recordedSegmentId);
  const [row] = await tx.run<EgressRow & Record<string, unknown>>(insertEgress, [
    ...[orgId, segmentId, callId, roomId, mediaRoomId, participantId, name],
  ]);
  if (!row) return null;
  const track = await trackOf(tx, { orgId, participantId }, source);
  const hasVideo = source === 'camera' || source === 'screen';
  await tx.run(insertSegment, [
    ...[orgId, segmentId, track, hasVideo ? 'video/webm' : 'audio/ogg', hasVideo],
    newId(recordedMediaId),
  ]);
  return row;
}
