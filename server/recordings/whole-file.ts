import type { RecordedSegmentId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { WrittenFile } from '#server/providers/video/track-recorder.ts';

/* Segments whose file arrives whole, because a server has written it. */

/** The file is read in pieces of this size when it is joined (join/assemble.ts). */
const pieceBytes = 2 * 1024 * 1024;

// The pieces are of one file. Those of before a withdrawal are kept, whatever came with them.
const storePieces: Statement = {
  name: 'store_whole_file',
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
  name: 'fail_whole_file',
  text: `with failed as (
      update recorded_media set state = 'failed', error = $3 where org_id = $1 and segment_id = $2
    )
    update recorded_segments set completed_at = now(), part_count = 0 where org_id = $1 and id = $2`,
};
const deleteSegment: Statement = {
  name: 'delete_segment_without_file',
  text: 'delete from recorded_segments where org_id = $1 and id = $2 and stored_parts = 0',
};

/**
 * Makes a stored file the parts of its segment, which is joined from them.
 * @returns false if nothing of it is to be kept: the segment was deleted meanwhile, or began after its end
 */
export async function storeWholeFile(
  tx: TenantConnection,
  segmentId: RecordedSegmentId,
  { startedAt, mimeType, sizeBytes, key }: WrittenFile,
): Promise<boolean> {
  const { orgId } = tx.tenant;
  const stored = await tx.run(storePieces, [
    ...[orgId, segmentId, startedAt, mimeType, sizeBytes, pieceBytes, key],
  ]);
  if (stored.length > 0) return true;
  await deleteEmptySegment(tx, segmentId);
  return false;
}

/** A segment is in its recording as failed. */
export const failSegment = (tx: TenantConnection, segmentId: RecordedSegmentId, reason: string) =>
  tx.run(failMedia, [tx.tenant.orgId, segmentId, reason.slice(0, 500)]);

export const deleteEmptySegment = (tx: TenantConnection, segmentId: RecordedSegmentId) =>
  tx.run(deleteSegment, [tx.tenant.orgId, segmentId]);
