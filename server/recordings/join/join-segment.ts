import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type OrgId, type RecordedSegmentId, recordedMediaId } from '#domain/ids.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { NoDiskRoomError, withDiskRoom } from '#server/platform/disk-room.ts';
import type { RestOfFile } from '#server/platform/files-in-turn.ts';
import { newId } from '#server/platform/ids.ts';
import { temporaryFolders } from '#server/platform/temporary-folders.ts';
import type { Services } from '#server/services.ts';
import { segmentFolder } from '../segment-folder.ts';
import { assemblePieces, bytesOfPieces, type StoredPart } from './assemble.ts';
import { keepPoster } from './keep-poster.ts';
import { type Joined, runJoin, runLoudness } from './run-join.ts';

export interface SegmentToJoin {
  orgId: OrgId;
  segmentId: RecordedSegmentId;
}

/** A join that the process did not finish is due again after this. */
const leaseMinutes = 40;
const mostAttempts = 5;
/** After which the disk is looked at again that had no room. */
const fullDiskMinutes = 5;

// Whoever takes it first has it; the others find that its time has moved.
const take: Statement = {
  name: 'take_segment_to_join',
  text: `update recorded_media set attempts = attempts + 1,
      next_attempt_at = now() + interval '${leaseMinutes} minutes'
    where org_id = $1 and segment_id = $2 and next_attempt_at <= now()
      and (state = 'waiting' or state = 'ready' and waveform is null)
    returning attempts`,
};
const readParts: Statement = {
  name: 'parts_to_join',
  text: `select number, size_bytes as "sizeBytes", file_key as "fileKey", position::float8 as position
    from recorded_parts where org_id = $1 and segment_id = $2 order by number`,
};
// What a media server recorded after its person withdrew, before it stopped, is not kept.
const readEnd: Statement = {
  name: 'end_of_segment_to_join',
  text: `select round(extract(epoch from keep_until - started_at) * 1000)::float8 as "mostMs"
    from recorded_segments where org_id = $1 and id = $2`,
};
const deleteEmpty: Statement = {
  name: 'delete_empty_segment',
  text: `delete from recorded_segments where org_id = $1 and id = $2 and stored_parts = $3`,
};
// If more parts have arrived since, it stays due. Otherwise it stays taken until its waveform is measured.
const store: Statement = {
  name: 'store_joined_media',
  text: `update recorded_media m set duration_ms = $3, mime_type = $4, size_bytes = $5, file_key = $6,
      waveform = $7, joined_parts = $8, error = null, attempts = 0,
      state = case when s.stored_parts > $9 then 'waiting' else 'ready' end,
      next_attempt_at = case when s.stored_parts > $9 then now() else m.next_attempt_at end,
      aligned_at = null, align_attempts = 0, align_next_at = now()
    from recorded_segments s, recorded_media before
    where m.org_id = $1 and m.segment_id = $2 and s.id = m.segment_id and before.id = m.id
    returning before.file_key as replaced`,
};
const setWaveform: Statement = {
  name: 'set_waveform',
  text: 'update recorded_media set waveform = $4 where org_id = $1 and segment_id = $2 and file_key = $3',
};
const fail: Statement = {
  name: 'fail_joined_media',
  text: `update recorded_media set error = $3,
      state = case when attempts >= ${mostAttempts} then 'failed' else 'waiting' end,
      next_attempt_at = now() + power(4, attempts) * interval '15 seconds'
    where org_id = $1 and segment_id = $2 and state = 'waiting' returning state`,
};

/**
 * Joins the parts of a segment into a file that can be searched, as far as they are readable. A failure is tried
 * again, later and later, and then stored as failed. A disk without room for it is looked at again, and counts nothing.
 * @param signal ends it; it is tried again after the next start
 * @param mostMeasuredBytes of segments whose loudness is measured at the same time: a minute or two of video
 * @returns the rest of the work, for after other joins: measures its loudness, and deletes its temporary files
 */
export async function joinSegment(
  services: Services,
  { orgId, segmentId }: SegmentToJoin,
  signal: AbortSignal,
  mostMeasuredBytes = 8 * 1024 * 1024,
): Promise<RestOfFile | null> {
  const { database } = services;
  const tenant = tenantOf(database, { kind: 'system', name: 'recordings-join', orgId }, null);
  const taken = await tenant.connection(({ run }) => run(take, [orgId, segmentId]));
  if (taken.length === 0) return null;
  const parts = await tenant.connection(({ run }) =>
    run<StoredPart & Record<string, unknown>>(readParts, [orgId, segmentId]),
  );
  const [end] = await tenant.connection(({ run }) =>
    run<{ mostMs: number | null }>(readEnd, [orgId, segmentId]),
  );
  const folder = await temporary(services).make();
  const joining = {
    tenant,
    segmentId,
    parts,
    mostMs: end?.mostMs ?? null,
    folder,
    measures: sizeOf(parts) <= mostMeasuredBytes,
  };
  // The pieces and the file; then the file, and where it is stored.
  const written = 2 * bytesOfPieces(parts);
  const key = await attempt(services, joining, signal, () =>
    withDiskRoom(services.config.DATA_DIR, written, () => joinIn(services, joining, signal)),
  );
  const clear = () => rm(folder, { recursive: true, force: true });
  if (!key) {
    await clear();
    return null;
  }
  return async () => {
    await attempt(services, joining, signal, () => measureIn(services, joining, key, signal));
    await clear();
    return null;
  };
}

interface Joining {
  tenant: Tenant;
  segmentId: RecordedSegmentId;
  parts: StoredPart[];
  mostMs: number | null;
  folder: string;
  measures: boolean;
}

async function attempt<T>(
  { log }: Services,
  { tenant, segmentId }: Joining,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | null> {
  const { orgId } = tenant;
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) {
      await release(tenant, segmentId, 0);
      return null;
    }
    if (error instanceof NoDiskRoomError) {
      log.warn({ orgId, segmentId }, 'a recording waits for room on the disk to be joined');
      await release(tenant, segmentId, fullDiskMinutes);
      return null;
    }
    log.warn({ err: error, orgId, segmentId }, 'a recording could not be joined');
    const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown';
    await tenant.connection(({ run }) => run(fail, [orgId, segmentId, reason]));
    return null;
  }
}

const outputOf = (folder: string) => join(folder, 'output');

/** @returns the key of a stored file whose loudness is to be measured */
async function joinIn(
  services: Services,
  { tenant, segmentId, parts, mostMs, folder, measures }: Joining,
  signal: AbortSignal,
): Promise<string | null> {
  const { orgId } = tenant;
  const { pieces, count } = await assemblePieces(services.files, parts, folder);
  const [output, poster] = [outputOf(folder), join(folder, 'poster')];
  const joined: Joined =
    pieces.length === 0
      ? { kind: 'nothing' }
      : await runJoin(
          folder,
          { pieces, output, poster, measures, mostMs, sizeBytes: sizeOf(parts) },
          signal,
        );
  if (joined.kind === 'nothing') {
    // Less than one packet: there is nothing to play.
    await tenant.connection(({ run }) => run(deleteEmpty, [orgId, segmentId, parts.length]));
    return null;
  }
  for (const piece of pieces) await rm(piece);
  const { size } = await stat(output);
  const key = `${segmentFolder(orgId, segmentId)}/${newId(recordedMediaId)}`;
  await services.files.put(key, createReadStream(output), size);
  const { durationMs, mimeType, waveform } = joined;
  const [row] = await tenant.connection(({ run }) =>
    run<{ replaced: string | null }>(store, [
      ...[orgId, segmentId, durationMs, mimeType, size, key],
      ...[waveform === null ? null : Buffer.from(waveform, 'base64'), count, parts.length],
    ]),
  );
  // Deleted meanwhile, with the folder that this has made again.
  if (!row) await services.files.deleteAll(segmentFolder(orgId, segmentId));
  else if (row.replaced) await services.files.delete(row.replaced);
  if (row && joined.hasPoster) await keepPoster(services, tenant, segmentId, poster);
  return row && waveform === null ? key : null;
}

async function measureIn(
  { log }: Services,
  { tenant, segmentId, parts, folder }: Joining,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const { orgId } = tenant;
  const file = { file: outputOf(folder), sizeBytes: sizeOf(parts) };
  const waveform = await runLoudness(folder, file, signal).catch((error) => {
    if (signal.aborted) throw error;
    log.warn({ err: error, orgId, segmentId }, 'the loudness of a recording was not measured');
    return Buffer.alloc(0);
  });
  await tenant.connection(({ run }) => run(setWaveform, [orgId, segmentId, key, waveform]));
}

const sizeOf = (parts: readonly StoredPart[]) =>
  parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const free: Statement = {
  name: 'release_segment_to_join',
  text: `update recorded_media set attempts = greatest(0, attempts - 1),
      next_attempt_at = now() + $3 * interval '1 minute'
    where org_id = $1 and segment_id = $2 and (state = 'waiting' or waveform is null)`,
};
/** Leaves a segment to a later attempt, without counting this one. */
const release = (tenant: Tenant, segment: RecordedSegmentId, afterMinutes: number) =>
  tenant.connection(({ run }) => run(free, [tenant.orgId, segment, afterMinutes]));

const temporary = ({ config }: Pick<Services, 'config'>) =>
  temporaryFolders(config.DATA_DIR, 'joining');

/** Deletes what joins of former runs left. */
export const clearTemporary = (services: Services): Promise<void> =>
  temporary(services).clear(leaseMinutes);
