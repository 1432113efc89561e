import { DomainError, notFound } from '#domain/errors.ts';
import type { RecordedSegmentId } from '#domain/ids.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { FilesFullError } from '#server/providers/files/port.ts';
import type { Services } from '#server/services.ts';
import { uploadBounds } from './bounds.ts';
import type { PartRows } from './part-rows.ts';
import type { Received } from './received-part.ts';
import { requireRoom } from './room-left.ts';
import { partsFolder, segmentFolder } from './segment-folder.ts';
import { consentWithdrawn, storageFull, type UploadClaims, uploadRefused } from './upload-token.ts';

export interface Part extends Received {
  number: number;
}

/**
 * Stores a part, durably, before it resolves. A part that is sent again changes nothing.
 * @returns whether it is new
 * @throws DomainError 403, 404, 409 for another content under this number, 413, 507
 */
export async function storePart(
  services: Services,
  rows: PartRows,
  upload: UploadClaims,
  part: Part,
  address: string,
): Promise<boolean> {
  const tenant = tenantOf(services.database, { kind: 'guest', ...upload }, address);
  const isKnown = await admit(rows, upload, part);
  if (isKnown) return false;
  await requireRoom(services, tenant);
  const folder = partsFolder(tenant.orgId, upload.segmentId);
  const { key, position } = await services.files.append(folder, part.chunks).catch((error) => {
    throw error instanceof FilesFullError ? storageFull() : error;
  });
  const { orgId, segmentId, participantId } = upload;
  const { number, sha256, sizeBytes } = part;
  const row = { segmentId, participantId, number, sha256, sizeBytes };
  if (await rows.add(orgId, { ...row, key, position })) return true;
  // It was stored, withdrawn, or deleted meanwhile.
  try {
    await admit(rows, upload, part);
  } catch (error) {
    await forgetDeleted(services, tenant, segmentId, error);
    throw error;
  }
  return false;
}

/** Returns whether the part is stored already. */
async function admit(rows: PartRows, upload: UploadClaims, part: Part): Promise<boolean> {
  const { orgId, segmentId, participantId } = upload;
  const name = { segmentId, participantId, number: part.number };
  const segment = await rows.admission(orgId, name);
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
  if (segment.bytes + part.sizeBytes > uploadBounds.mostBytesOfParticipant) {
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
