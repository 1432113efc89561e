import { tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import type { Services } from '#server/services.ts';
import { uploadBounds } from '../bounds.ts';
import { partsFolder } from '../segment-folder.ts';
import type { SegmentToJoin } from './join-segment.ts';

const spare: Statement = {
  name: 'segments_with_spare_parts',
  text: `select org_id as "orgId", segment_id as "segmentId"
    from segments_with_spare_parts($1 * interval '1 second')`,
};
const noteDeleted: Statement = {
  name: 'note_deleted_parts',
  text: `update recorded_segments s set parts_deleted_at = now()
    from recorded_media m where s.org_id = $1 and s.id = $2 and m.segment_id = s.id and m.state = 'ready'
    returning s.id`,
};

/** Deletes the parts of segments that are joined and get no more. Their rows stay, so that a repeated part is known. */
export async function deleteSpareParts({ database, files, log }: Services): Promise<void> {
  const uploadsLast = uploadBounds.uploadSeconds + 3600;
  const segments = await database.connection('outside', ({ run }) =>
    run<SegmentToJoin & Record<string, unknown>>(spare, [uploadsLast]),
  );
  const remove = async ({ orgId, segmentId }: SegmentToJoin) => {
    const tenant = tenantOf(database, { kind: 'system', name: 'recordings-join', orgId }, null);
    const noted = await tenant.connection(({ run }) => run(noteDeleted, [orgId, segmentId]));
    if (noted.length === 0) return;
    try {
      await files.deleteAll(partsFolder(orgId, segmentId));
    } catch (error) {
      await tenant.connection(({ run }) => run(undo, [orgId, segmentId]));
      throw error;
    }
  };
  await eachApart(log, segments, remove, 'the parts of a recording could not be deleted');
}
const undo: Statement = {
  name: 'keep_deleted_parts',
  text: 'update recorded_segments set parts_deleted_at = null where org_id = $1 and id = $2',
};

const forgetRows: Statement = {
  name: 'forget_recorded_parts',
  text: `select forget_recorded_parts($1 * interval '1 second') as forgotten`,
};

/** Deletes the rows of parts that can no longer be sent again, so that deleting a recording stays cheap. */
export async function forgetParts(database: Database): Promise<void> {
  const uploadsLast = uploadBounds.uploadSeconds + 3600;
  for (let forgotten = 1; forgotten > 0; ) {
    // Those of two hundred segments at a time.
    const [row] = await database.connection('outside', ({ run }) =>
      run<{ forgotten: number }>(forgetRows, [uploadsLast]),
    );
    forgotten = row?.forgotten ?? 0;
  }
}
