import { DomainError, notFound } from '#domain/errors.ts';
import type { RecordedSegmentId } from '#domain/ids.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { FilesFullError } from '#server/providers/files/port.ts';
import type { Services } from '#server/services.ts';
import { uploadBounds } from './bounds.ts';
import { requireRoom } from './room-left.ts';
import { partsFolder, segmentFolder } from './segment-folder.ts';
import { consentWithdrawn, storageFull, type UploadClaims, uploadRefused } from './upload-token.ts';

export interface Part {
  number: number;
  bytes: Buffer;
  sha256: Buffer;
}

/** A newer answer than the segment counts: what the participant has not sent yet is thrown away. */
export const withdrawn = (segment: string) => `exists (select from consents c
  where c.org_id = $1 and c.participant_id = $4 and c.id > ${segment}
    and 'recording' = any (c.asked) and not 'recording' = any (c.agreed))`;

interface Admission {
  isWithdrawn: boolean;
  isOver: boolean;
  sha256: Buffer | null;
  bytes: number;
}
const admitPart: Statement = {
  name: 'admit_recorded_part',
  text: `select ${withdrawn('s.id')} as "isWithdrawn", s.parts_deleted_at is not null as "isOver", p.sha256,
      (select coalesce(sum(x.size_bytes), 0) from recorded_tracks o
        join recorded_segments x on x.org_id = o.org_id and x.track_id = o.id
        where o.org_id = t.org_id and o.call_id = t.call_id and o.participant_id = t.participant_id
      )::float8 as bytes
    from recorded_segments s
    join recorded_tracks t on t.org_id = s.org_id and t.id = s.track_id and t.participant_id = $4
    left join recorded_parts p on p.segment_id = s.id and p.number = $3
    where s.org_id = $1 and s.id = $2`,
};

const insertPart: Statement = {
  name: 'insert_recorded_part',
  text: `with segment as (
      select s.id from recorded_segments s
      where s.org_id = $1 and s.id = $2 and s.parts_deleted_at is null and not ${withdrawn('s.id')}
      for no key update
    ), added as (
      insert into recorded_parts (org_id, segment_id, number, size_bytes, sha256, file_key, position)
      select $1, segment.id, $3, $5, $6, $7, $8 from segment
      on conflict do nothing returning segment_id, size_bytes
    ), counted as (
      update recorded_segments s set size_bytes = s.size_bytes + added.size_bytes,
        stored_parts = s.stored_parts + 1, last_part_at = now()
      from added where s.org_id = $1 and s.id = added.segment_id
    ), joined_again as (
      update recorded_media m set state = 'waiting', attempts = 0, error = null, next_attempt_at = now()
      from added where m.org_id = $1 and m.segment_id = added.segment_id and m.state <> 'waiting'
    )
    select 1 from added`,
};

/**
 * Stores a part, durably, before it resolves. A part that is sent again changes nothing.
 * @returns whether it is new
 * @throws DomainError 403, 404, 409 for another content under this number, 413, 507
 */
export async function storePart(
  services: Services,
  upload: UploadClaims,
  part: Part,
  address: string,
): Promise<boolean> {
  const tenant = tenantOf(services.database, { kind: 'guest', ...upload }, address);
  const known = await admit(tenant, upload, part);
  if (known) return false;
  await requireRoom(services, tenant);
  const folder = partsFolder(tenant.orgId, upload.segmentId);
  const { key, position } = await services.files.append(folder, part.bytes).catch((error) => {
    throw error instanceof FilesFullError ? storageFull() : error;
  });
  const { segmentId, participantId } = upload;
  const values = [tenant.orgId, segmentId, part.number, participantId, part.bytes.length];
  const added = await tenant.connection(({ run }) =>
    run(insertPart, [...values, part.sha256, key, position]),
  );
  if (added.length > 0) return true;
  // It was stored, withdrawn, or deleted meanwhile.
  try {
    await admit(tenant, upload, part);
  } catch (error) {
    await forgetDeleted(services, tenant, segmentId, error);
    throw error;
  }
  return false;
}

/** Returns whether the part is stored already. */
async function admit(tenant: Tenant, upload: UploadClaims, part: Part): Promise<boolean> {
  const { segmentId, participantId } = upload;
  const [segment] = await tenant.connection(({ run }) =>
    run<Admission & Record<string, unknown>>(admitPart, [
      ...[tenant.orgId, segmentId, part.number, participantId],
    ]),
  );
  if (!segment) throw notFound();
  if (segment.isWithdrawn) throw consentWithdrawn();
  if (segment.sha256?.equals(part.sha256)) return true;
  if (segment.sha256) {
    throw new DomainError(
      'conflict',
      'part_differs',
      'Another part was already stored under this number.',
    );
  }
  if (segment.isOver) throw uploadRefused();
  if (segment.bytes + part.bytes.length > uploadBounds.mostBytesOfParticipant) {
    throw new DomainError(
      'too_large',
      'recording_too_large',
      'This recording is too large, so the rest of it isn’t saved.',
    );
  }
  return false;
}

/** The bytes may have been written after the segment's files were deleted. */
async function forgetDeleted(
  { files }: Services,
  tenant: Tenant,
  segmentId: RecordedSegmentId,
  error: unknown,
): Promise<void> {
  const isGone = error instanceof DomainError && error.kind === 'not_found';
  if (isGone) await files.deleteAll(segmentFolder(tenant.orgId, segmentId));
}
