import { Readable } from 'node:stream';
import type { BodyOf } from '#domain/contract.ts';
import { notFound } from '#domain/errors.ts';
import type { completeSegment as contract } from '#domain/recordings/contract.ts';
import { makePictureSafe } from '#server/pictures/make-picture-safe.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { FilesFullError } from '#server/providers/files/port.ts';
import type { Services } from '#server/services.ts';
import { withdrawn } from './part-rows.ts';
import { posterKey } from './segment-folder.ts';
import { storageFull, type UploadClaims } from './upload-token.ts';

/**
 * A segment began earlier than was first noted, by as long as that request was on its way. The first answer counts.
 */
const complete: Statement = {
  name: 'complete_recorded_segment',
  text: `with begun as (
      select case when completed_at is null
          and $4 between started_at - interval '60 seconds' and started_at + interval '1 second'
        then $4::timestamptz else started_at end as at
      from recorded_segments where org_id = $1 and id = $2
    ), due as (
      update recorded_media set started_at = begun.at,
        next_attempt_at = case attempts when 0 then least(next_attempt_at, now()) else next_attempt_at end
      from begun where org_id = $1 and segment_id = $2 and state = 'waiting'
    )
    update recorded_segments set part_count = $3, started_at = begun.at,
      completed_at = coalesce(completed_at, now())
    from begun where org_id = $1 and id = $2 returning id`,
};

/** Notes how many parts the segment has, and when it began. Missing ones may still arrive. @throws DomainError 404 */
export async function completeSegment(
  { database }: Pick<Services, 'database'>,
  upload: UploadClaims,
  { partCount, startedAt }: BodyOf<typeof contract>,
  address: string,
): Promise<void> {
  const tenant = tenantOf(database, { kind: 'guest', ...upload }, address);
  const begunAt = startedAt === null ? null : new Date(startedAt);
  const done = await tenant.connection(({ run }) =>
    run(complete, [tenant.orgId, upload.segmentId, partCount, begunAt]),
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
