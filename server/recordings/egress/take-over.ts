import type { OrgId, ParticipantId, RecordedSegmentId, RoomId } from '#domain/ids.ts';
import { type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { EgressReport, WrittenFile } from '#server/providers/video/track-recorder.ts';
import type { Services } from '#server/services.ts';
import { uploadBounds } from '../bounds.ts';
import { partsFolder, segmentFolder, segmentOfEgress } from '../segment-folder.ts';
import { noteFailure } from './note-failure.ts';

/** The file is read in pieces of this size when it is joined (join/assemble.ts). */
const pieceBytes = 2 * 1024 * 1024;

const lockEgress: Statement = {
  name: 'lock_egress',
  text: `select egress_name as "egressName", stopped_at is not null as "isStopped", error,
      participant_id as "participantId", room_id as "roomId"
    from recorded_egresses where org_id = $1 and segment_id = $2 for update`,
};
const forgetEgress: Statement = {
  name: 'forget_egress',
  text: 'delete from recorded_egresses where org_id = $1 and segment_id = $2',
};
// The pieces are of one file. Those of before a withdrawal are kept, whatever came with them.
const storePieces: Statement = {
  name: 'store_file_of_egress',
  text: `with segment as (
      update recorded_segments set started_at = $3::timestamptz, mime_type = $4, size_bytes = $5::bigint,
        completed_at = now(), last_part_at = now(),
        part_count = ceil($5::bigint::float8 / $6::integer), stored_parts = ceil($5::bigint::float8 / $6::integer)
      where org_id = $1 and id = $2 and coalesce(keep_until > $3::timestamptz, true)
      returning org_id, id, part_count
    ), media as (
      update recorded_media m set started_at = $3::timestamptz, state = 'waiting', next_attempt_at = now()
      from segment s where m.org_id = s.org_id and m.segment_id = s.id
    )
    insert into recorded_parts (org_id, segment_id, number, size_bytes, file_key, position)
    select s.org_id, s.id, n, least($6::integer, $5::bigint - n::bigint * $6::integer), $7,
      n::bigint * $6::integer
    from segment s, generate_series(0, s.part_count - 1) n returning number`,
};
const failMedia: Statement = {
  name: 'fail_media_of_egress',
  text: `with failed as (
      update recorded_media set state = 'failed', error = $3 where org_id = $1 and segment_id = $2
    )
    update recorded_segments set completed_at = now(), part_count = 0 where org_id = $1 and id = $2`,
};
const deleteSegment: Statement = {
  name: 'delete_segment_of_egress',
  text: 'delete from recorded_segments where org_id = $1 and id = $2 and stored_parts = 0',
};
const segmentExists: Statement = {
  name: 'segment_of_egress_exists',
  text: 'select 1 from recorded_segments where org_id = $1 and id = $2',
};
// Also if it was listed before: the media server may have written the file after it was deleted.
const discard: Statement = {
  name: 'discard_file_of_egress',
  text: `insert into discarded_files (file_key, org_id) select $2, id from organizations where id = $1
    on conflict (file_key) do update set next_attempt_at = now(), attempts = 0`,
};

interface LockedEgress {
  egressName: string | null;
  isStopped: boolean;
  error: string | null;
  participantId: ParticipantId;
  roomId: RoomId;
}

/**
 * Takes over what the media server has recorded of a track. Reports that are repeated, outdated, or of another storage
 * change nothing; the file of a recording that was deleted meanwhile is deleted.
 */
export async function takeOver(
  services: Services,
  orgId: OrgId,
  report: EgressReport,
): Promise<void> {
  const segmentId = segmentOfEgress(orgId, report.key);
  if (segmentId === null || !report.isOver) return;
  const tenant = tenantOf(services.database, { kind: 'system', name: 'egress', orgId }, null);
  const failed = await tenant.transaction(async (tx) => {
    const [row] = await tx.run<LockedEgress & Record<string, unknown>>(lockEgress, [
      orgId,
      segmentId,
    ]);
    if (!row) {
      await discardUnlessKnown(tx, segmentId);
      return null;
    }
    if (row.egressName !== null && row.egressName !== report.name) return null;
    return finish(tx, segmentId, row, report);
  });
  if (failed) {
    const { egress, reason } = failed;
    services.log.warn({ orgId, segmentId, reason }, 'the media server stopped to record a track');
    await noteFailure(services, tenant, { ...egress, segmentId }, reason);
  }
}

async function discardUnlessKnown(tx: TenantConnection, segmentId: RecordedSegmentId) {
  const { orgId } = tx.tenant;
  if ((await tx.run(segmentExists, [orgId, segmentId])).length > 0) return;
  await tx.run(discard, [orgId, segmentFolder(orgId, segmentId)]);
}

/** @returns the failure after which it is tried again; null if it is finished */
async function finish(
  tx: TenantConnection,
  segmentId: RecordedSegmentId,
  egress: LockedEgress,
  { file, error }: EgressReport,
): Promise<{ egress: LockedEgress; reason: string } | null> {
  const { orgId } = tx.tenant;
  const isTooLarge = (file?.sizeBytes ?? 0) > uploadBounds.mostBytesOfParticipant;
  const reason = isTooLarge ? tooLarge : (error ?? egress.error);
  if (!file && reason !== null && !egress.isStopped) return { egress, reason };
  await tx.run(forgetEgress, [orgId, segmentId]);
  if (file && !isTooLarge) {
    await store(tx, segmentId, file);
  } else if (reason !== null) {
    await tx.run(failMedia, [orgId, segmentId, reason]);
    await tx.run(discard, [orgId, partsFolder(orgId, segmentId)]);
  } else {
    await tx.run(deleteSegment, [orgId, segmentId]);
  }
  return null;
}

async function store(tx: TenantConnection, segmentId: RecordedSegmentId, file: WrittenFile) {
  const { orgId } = tx.tenant;
  const { startedAt, mimeType, sizeBytes, key } = file;
  const stored = await tx.run(storePieces, [
    ...[orgId, segmentId, startedAt, mimeType, sizeBytes, pieceBytes, key],
  ]);
  if (stored.length > 0) return;
  // Deleted meanwhile, or recorded after a withdrawal alone.
  await tx.run(deleteSegment, [orgId, segmentId]);
  await tx.run(discard, [orgId, segmentFolder(orgId, segmentId)]);
}

const tooLarge = 'The file that LiveKit has written is too large.';
