import { setTimeout } from 'node:timers/promises';
import pMap from 'p-map';
import { type OrgId, orgId, type RecordedSegmentId, recordedSegmentId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { markFileStore, markKey } from './file-store-mark.ts';
import { recordingsFolder, segmentFolder } from './segment-folder.ts';

/** Files of each organization that a pass deletes. */
const filesAtOnce = 200;
const organizationsAtOnce = 8;

const due: Statement = {
  name: 'files_to_delete',
  text: 'select org_id as "orgId", file_key as "fileKey" from files_to_delete($1, $2)',
};
const forget: Statement = {
  name: 'forget_discarded_file',
  text: 'delete from discarded_files where org_id = $1 and file_key = $2',
};
const later: Statement = {
  name: 'delete_file_later',
  text: `update discarded_files set attempts = attempts + 1,
      next_attempt_at = now() + least(1440, power(2, least(attempts, 12))) * interval '1 minute'
    where org_id = $1 and file_key = $2`,
};

type Deleting = Pick<Services, 'database' | 'files' | 'log'>;

/**
 * Deletes files whose rows are gone, organizations side by side. What the store refuses is tried again, later and later.
 * @param of an organization; all by default
 */
export async function deleteDiscardedFiles(
  services: Deleting,
  of: OrgId | null = null,
): Promise<void> {
  const { database } = services;
  const found = await database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId; fileKey: string }>(due, [of, filesAtOnce]),
  );
  const organizations = Map.groupBy(found, ({ orgId }) => orgId).values();
  await pMap(organizations, (some) => deleteAll(services, some), {
    concurrency: organizationsAtOnce,
  });
}

async function deleteAll(
  { database, files, log }: Deleting,
  discarded: readonly { orgId: OrgId; fileKey: string }[],
): Promise<void> {
  for (const { orgId, fileKey } of discarded) {
    const system = { kind: 'system' as const, name: 'recordings-files', orgId };
    const tenant = tenantOf(database, system, null);
    try {
      await files.deleteAll(fileKey);
      await tenant.connection(({ run }) => run(forget, [orgId, fileKey]));
    } catch (error) {
      log.warn({ err: error, orgId, fileKey }, 'a deleted recording’s file could not be deleted');
      await tenant.connection(({ run }) => run(later, [orgId, fileKey]));
    }
  }
}

/** The longest that an answer waits for its files to be deleted. A bucket may have thousands of a call. */
const patienceMs = 5_000;

/** Deletes an organization's files after their rows, usually before the answer. The job does what is left. */
export async function deleteDiscardedSoon(services: Deleting, of: OrgId): Promise<void> {
  const deleting = deleteDiscardedFiles(services, of).catch((error) =>
    services.log.warn({ err: error }, 'discarded files are left to the job'),
  );
  await Promise.race([deleting, setTimeout(patienceMs, undefined, { ref: false })]);
}

/** A segment is a row before it has files, so a folder without a row is left over. */
const orphanAgeMs = 24 * 60 * 60 * 1000;
const existing: Statement = {
  name: 'existing_segments',
  text: 'select id from recorded_segments where org_id = $1 and id = any ($2)',
};

/**
 * Finds and deletes files of segments that no row names, as an interrupted deletion leaves them. Nothing is deleted
 * where another installation uses the store.
 * @returns their number
 */
export async function deleteOrphans(
  { database, files, log }: Deleting,
  now = Date.now(),
): Promise<number> {
  if (!(await markFileStore(database, files))) {
    log.error(
      { file: markKey },
      'another installation uses this file store, so left-over files are not deleted; if none does, delete this file there',
    );
    return 0;
  }
  let deleted = 0;
  for (const name of await files.folders('')) {
    const org = orgId.safeParse(name);
    if (!org.success) continue;
    const system = { kind: 'system' as const, name: 'recordings-files', orgId: org.data };
    const tenant = tenantOf(database, system, null);
    const stored = (await files.folders(recordingsFolder(org.data)))
      .map((folder) => recordedSegmentId.safeParse(folder))
      .flatMap(({ data }) => (data && madeAt(data) < now - orphanAgeMs ? [data] : []));
    for (let at = 0; at < stored.length; at += 1000) {
      const some = stored.slice(at, at + 1000);
      const rows = await tenant.connection(({ run }) =>
        run<{ id: RecordedSegmentId }>(existing, [org.data, some]),
      );
      const known = new Set(rows.map(({ id }) => id));
      for (const id of some.filter((one) => !known.has(one))) {
        await files.deleteAll(segmentFolder(org.data, id));
        deleted += 1;
      }
    }
  }
  if (deleted > 0) log.warn({ deleted }, 'files of recordings without a row were deleted');
  return deleted;
}

/** The time in a UUIDv7 (RFC 9562), in milliseconds. */
const madeAt = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
