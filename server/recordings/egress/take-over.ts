import type { OrgId, ParticipantId, RecordedSegmentId, RoomId } from '#domain/ids.ts';
import { type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { EgressReport } from '#server/providers/video/track-recorder.ts';
import type { Services } from '#server/services.ts';
import { uploadBounds } from '../bounds.ts';
import { partsFolder, segmentFolder, segmentOfEgress } from '../segment-folder.ts';
import { deleteEmptySegment, failSegment, storeWholeFile } from '../whole-file.ts';
import { noteFailure } from './note-failure.ts';

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
    if (!(await storeWholeFile(tx, segmentId, file)))
      await tx.run(discard, [orgId, segmentFolder(orgId, segmentId)]);
  } else if (reason !== null) {
    await failSegment(tx, segmentId, reason);
    await tx.run(discard, [orgId, partsFolder(orgId, segmentId)]);
  } else {
    await deleteEmptySegment(tx, segmentId);
  }
  return null;
}

const tooLarge = 'The file that LiveKit has written is too large.';
