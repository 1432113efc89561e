import {
  type CallId,
  type RecordedSegmentId,
  type RoomId,
  recordedMediaId,
  recordedSegmentId,
  recordedTrackId,
} from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

/** A recording that the provider was asked for. */
export interface HostedRow {
  segmentId: RecordedSegmentId;
  /** Of the provider; null until it has said it. */
  recordingId: string | null;
  requestedAt: Date;
  isConfirmed: boolean;
  stoppedAt: Date | null;
  isStopConfirmed: boolean;
  isStored: boolean;
  attempts: number;
  error: string | null;
  /** Its segment still exists. */
  isWanted: boolean;
  isDue: boolean;
  /** When it is looked at next, in seconds with all digits. */
  dueAt: string;
}
const readRowsStatement: Statement = {
  name: 'hosted_recordings_of_room',
  text: `select h.segment_id as "segmentId", h.recording_id as "recordingId", h.requested_at as "requestedAt",
      h.confirmed_at is not null as "isConfirmed", h.stopped_at as "stoppedAt",
      h.stop_confirmed_at is not null as "isStopConfirmed", h.stored_at is not null as "isStored", h.attempts,
      h.error, h.next_attempt_at <= now() as "isDue", extract(epoch from h.next_attempt_at)::text as "dueAt",
      exists (select from recorded_segments s where s.org_id = h.org_id and s.id = h.segment_id) as "isWanted"
    from hosted_recordings h where h.org_id = $1 and h.room_id = $2 order by h.segment_id`,
};
export const readHostedRows = ({ run, tenant }: TenantConnection, room: RoomId) =>
  run<HostedRow & Record<string, unknown>>(readRowsStatement, [tenant.orgId, room]);

const insertRow: Statement = {
  name: 'insert_hosted_recording',
  text: `insert into hosted_recordings (segment_id, org_id, room_id, next_attempt_at)
    values ($2, $1, $3, now() + interval '1 minute')
    on conflict (org_id, room_id) where stopped_at is null do nothing returning segment_id`,
};
// The track of everyone is one for a call. It has no person of its own, so the call stands in for one.
const insertSegment: Statement = {
  name: 'insert_segment_of_everyone',
  text: `with track as (
      insert into recorded_tracks (id, org_id, call_id, participant_id, participant_kind, name, source)
      values ($4, $1, $3, $3, 'staff', '', 'everyone')
      on conflict (org_id, call_id, participant_id, source) do update set name = excluded.name returning id
    ), added as (
      insert into recorded_segments (id, org_id, track_id, started_at, mime_type, has_video)
      select $2, $1, id, now(), 'video/mp4', true from track returning *
    )
    insert into recorded_media (id, org_id, track_id, segment_id, state, started_at)
    select $5, org_id, track_id, id, 'waiting', started_at from added`,
};

/** Adds the segment of a recording that is about to begin. @returns null if one runs in the room already */
export async function addHostedRow(
  tx: TenantConnection,
  room: RoomId,
  call: CallId,
): Promise<RecordedSegmentId | null> {
  const { orgId } = tx.tenant;
  const segmentId = newId(recordedSegmentId);
  if ((await tx.run(insertRow, [orgId, segmentId, room])).length === 0) return null;
  await tx.run(insertSegment, [
    ...[orgId, segmentId, call, newId(recordedTrackId), newId(recordedMediaId)],
  ]);
  return segmentId;
}

const again: Statement = {
  name: 'look_at_hosted_recording_again',
  text: `update hosted_recordings set next_attempt_at = now() + $3 * interval '1 second'
    where org_id = $1 and segment_id = $2
      and ($4::text is null or extract(epoch from next_attempt_at)::text = $4)`,
};
/** @param read nothing changes if an event has made the recording due since this was read */
export const lookAgain = (
  { run, tenant }: TenantConnection,
  segment: RecordedSegmentId,
  seconds: number,
  read?: Pick<HostedRow, 'dueAt'>,
) => run(again, [tenant.orgId, segment, seconds, read?.dueAt ?? null]);

const forget: Statement = {
  name: 'forget_hosted_recording',
  text: 'delete from hosted_recordings where org_id = $1 and segment_id = $2',
};
/** Nothing of it is left at the provider. */
export const forgetHostedRow = ({ run, tenant }: TenantConnection, segment: RecordedSegmentId) =>
  run(forget, [tenant.orgId, segment]);
