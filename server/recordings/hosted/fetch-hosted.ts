import type { RecordedSegmentId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { HostedRecording } from '#server/providers/video/hosted-recorder.ts';
import { uploadBounds } from '../bounds.ts';
import { requireRoom } from '../room-left.ts';
import { partsFolder, segmentFolder } from '../segment-folder.ts';
import { failSegment, storeWholeFile } from '../whole-file.ts';
import { type HostedPass, turnOf } from './hosted-pass.ts';
import { forgetHostedRow, type HostedRow, lookAgain } from './hosted-rows.ts';

/** A fetch that the process did not finish is due again after this. */
const leaseSeconds = 40 * 60;

// Whoever takes it first has it.
const take: Statement = {
  name: 'take_hosted_recording_to_fetch',
  text: `update hosted_recordings set recording_id = $3, attempts = attempts + 1,
      next_attempt_at = now() + interval '${leaseSeconds} seconds'
    where org_id = $1 and segment_id = $2 and next_attempt_at <= now() returning attempts`,
};
const noteStored: Statement = {
  name: 'hosted_recording_is_stored',
  text: 'update hosted_recordings set stored_at = now() where org_id = $1 and segment_id = $2',
};

/** Files that are fetched at a time, each for up to half an hour; one of an organization. */
const queue = new FairQueue({
  atOnce: 4,
  perKey: 1,
  mostWaiting: Number.POSITIVE_INFINITY,
});
/** Files that this process fetches, or is about to. */
const begun = new Set<RecordedSegmentId>();

/** Whether anything of a recording is to be stored here. */
const isKept = ({ isWanted, isStored, error }: HostedRow) =>
  isWanted && !isStored && error === null;

/**
 * Takes over the file of a recording that is over, and has the provider delete its copy. What was deleted here, or not
 * to be kept at all, is deleted there without being fetched. A failure is tried again, later and later.
 * @returns once nothing is left to be fetched. A file is fetched later, in its organization's turn: the end of another
 *   recording of the room, or of those of other organizations, must not wait for it
 */
export async function fetchHosted(
  pass: HostedPass,
  row: HostedRow,
  recording: HostedRecording,
): Promise<void> {
  const { services, tenant } = pass;
  const { segmentId } = row;
  if (!isKept(row)) return takeOver(pass, row, recording);
  if (begun.has(segmentId)) return;
  begun.add(segmentId);
  queue
    .run(tenant.orgId, () => takeOver(pass, row, recording))
    .catch((err) => services.log.error({ err, segmentId }, 'a recording was not fetched'))
    .finally(() => begun.delete(segmentId));
}

async function takeOver(
  pass: HostedPass,
  row: HostedRow,
  recording: HostedRecording,
): Promise<void> {
  const { services, recorder, tenant } = pass;
  const { segmentId } = row;
  const values = [tenant.orgId, segmentId, recording.id];
  const [taken] = await tenant.connection(({ run }) => run<{ attempts: number }>(take, values));
  if (!taken) return;
  try {
    if (isKept(row)) await store(pass, segmentId, recording);
    await recorder.delete(recording.id, turnOf(pass));
    await tenant.connection((at) => forgetHostedRow(at, segmentId));
  } catch (error) {
    services.log.warn(
      { err: error, orgId: tenant.orgId, segmentId },
      'a recording of the hosted page was not fetched; this is tried again',
    );
    const seconds = Math.min(3600, 5 * 2 ** Math.min(10, taken.attempts));
    await tenant.connection((at) => lookAgain(at, segmentId, seconds));
  }
}

/** Bytes of the files that this process fetches now. */
let fetching = 0;
async function beside(bytes: number, work: (all: number) => Promise<void>): Promise<void> {
  fetching += bytes;
  try {
    await work(fetching);
  } finally {
    fetching -= bytes;
  }
}

async function store(
  pass: HostedPass,
  segmentId: RecordedSegmentId,
  { id, startedAt }: HostedRecording,
): Promise<void> {
  const { services, recorder, tenant } = pass;
  const { files } = services;
  const { orgId } = tenant;
  const { content, sizeBytes } = await recorder.open(id, turnOf(pass));
  if (sizeBytes > uploadBounds.mostBytesOfParticipant) {
    content.destroy();
    await tenant.transaction(async (tx) => {
      await failSegment(tx, segmentId, 'The file that Daily has written is too large.');
      await tx.run(noteStored, [orgId, segmentId]);
    });
    return;
  }
  const key = `${partsFolder(orgId, segmentId)}/everyone`;
  await beside(sizeBytes, async (bytes) => {
    await requireRoom(services, tenant, bytes).catch((error) => {
      content.destroy();
      throw error;
    });
    await files.put(key, content, sizeBytes);
  });
  const isKept = await tenant.transaction(async (tx) => {
    await tx.run(noteStored, [orgId, segmentId]);
    return storeWholeFile(tx, segmentId, { key, mimeType: 'video/mp4', sizeBytes, startedAt });
  });
  // Deleted meanwhile, or all of it is later than what is kept.
  if (!isKept) await files.deleteAll(segmentFolder(orgId, segmentId));
}

/** Gives up a recording of which the provider has no file. */
export const giveUp = (tenant: Tenant, { segmentId, error }: HostedRow): Promise<void> =>
  tenant.transaction(async (tx) => {
    if (error === null) await failSegment(tx, segmentId, 'Daily has no file of this recording.');
    await forgetHostedRow(tx, segmentId);
  });
