import { Readable } from 'node:stream';
import { notFound } from '#domain/errors.ts';
import { makePictureSafe } from '#server/pictures/make-picture-safe.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { FilesFullError } from '#server/providers/files/port.ts';
import type { Services } from '#server/services.ts';
import { withdrawn } from './part-rows.ts';
import { posterKey } from './segment-folder.ts';
import { storageFull, type UploadClaims } from './upload-token.ts';

const complete: Statement = {
  name: 'complete_recorded_segment',
  text: `with due as (
      update recorded_media set next_attempt_at = least(next_attempt_at, now())
      where org_id = $1 and segment_id = $2 and state = 'waiting' and attempts = 0
    )
    update recorded_segments set part_count = $3, completed_at = coalesce(completed_at, now())
    where org_id = $1 and id = $2 returning id`,
};

/** Notes how many parts the segment has. Missing ones may still arrive. @throws DomainError 404 */
export async function completeSegment(
  { database }: Pick<Services, 'database'>,
  upload: UploadClaims,
  partCount: number,
  address: string,
): Promise<void> {
  const tenant = tenantOf(database, { kind: 'guest', ...upload }, address);
  const done = await tenant.connection(({ run }) =>
    run(complete, [tenant.orgId, upload.segmentId, partCount]),
  );
  if (done.length === 0) throw notFound();
}

const setPoster: Statement = {
  name: 'set_poster',
  text: `update recorded_media set poster_key = $3 where org_id = $1 and segment_id = $2
      and not ${withdrawn('segment_id')}
    returning id`,
};

/**
 * Stores the picture that stands for the segment, redrawn. A second one replaces it.
 * @throws DomainError 404, 415, 507
 */
export async function storePoster(
  { database, files }: Pick<Services, 'database' | 'files'>,
  upload: UploadClaims,
  bytes: Buffer,
  address: string,
): Promise<void> {
  const tenant = tenantOf(database, { kind: 'guest', ...upload }, address);
  const { segmentId, participantId } = upload;
  const picture = await makePictureSafe(tenant.orgId, bytes, 'poster');
  const key = posterKey(tenant.orgId, segmentId);
  await files.put(key, Readable.from([picture]), picture.length).catch((error) => {
    throw error instanceof FilesFullError ? storageFull() : error;
  });
  const values = [tenant.orgId, segmentId, key, participantId];
  const set = await tenant.connection(({ run }) => run(setPoster, values));
  if (set.length > 0) return;
  await files.delete(key);
  throw notFound();
}
