import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OrgId, RecordedMediaId, TranscriptLineId } from '#domain/ids.ts';
import { type Alignment, alignInSteps, type HeardPhrase } from '#domain/transcripts/align.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { NoDiskRoomError, withDiskRoom } from '#server/platform/disk-room.ts';
import type { RestOfFile } from '#server/platform/files-in-turn.ts';
import { loopTurns } from '#server/platform/loop-turns.ts';
import { temporaryFolders } from '#server/platform/temporary-folders.ts';
import type { Services } from '#server/services.ts';
import { fillMissing } from './fill-missing.ts';
import type { MediaOfCall } from './media-of-call.ts';
import { runCut } from './run-cut.ts';
import type { CutPhrase } from './spoken-part.ts';

/** A file that the process did not finish is due again after this. */
const leaseMinutes = 40;
/** Phrases that are recognized before the files of others have their turn. */
const filledAtOnce = 50;

// Whoever takes it first has it; the others find that its time has moved.
const take: Statement = {
  name: 'take_media_to_align',
  text: `update recorded_media m set align_attempts = align_attempts + 1,
      align_next_at = now() + interval '${leaseMinutes} minutes'
    from recorded_tracks t, calls c
    where m.org_id = $1 and m.id = $2 and m.state = 'ready' and m.aligned_at is null
      and m.align_next_at <= now() and t.id = m.track_id and c.id = t.call_id
    returning m.id as "mediaId", t.call_id as "callId", t.participant_id as "participantId",
      t.participant_kind as kind, t.account_id as "accountId", t.name, m.file_key as "fileKey",
      c.started_at as "callStartedAt", m.duration_ms as "durationMs",
      round(extract(epoch from m.started_at - c.started_at) * 1000)::int as "startMs",
      m.size_bytes::float8 as "sizeBytes"`,
};
const done: Statement = {
  name: 'media_is_aligned',
  text: 'update recorded_media set aligned_at = now() where org_id = $1 and id = $2 and file_key = $3',
};
// Until the rest is recognized.
const renew: Statement = {
  name: 'renew_media_to_align',
  text: `update recorded_media set align_next_at = now() + interval '${leaseMinutes} minutes'
    where org_id = $1 and id = $2`,
};
// The server stops.
const release: Statement = {
  name: 'release_media_to_align',
  text: `update recorded_media set align_attempts = greatest(0, align_attempts - 1), align_next_at = now()
    where org_id = $1 and id = $2`,
};
// The disk has no room.
const whenRoom: Statement = {
  name: 'align_media_when_there_is_room',
  text: `update recorded_media set align_attempts = greatest(0, align_attempts - 1),
      align_next_at = now() + interval '5 minutes'
    where org_id = $1 and id = $2`,
};
const later: Statement = {
  name: 'align_media_later',
  text: `update recorded_media set align_next_at = now() + power(4, align_attempts) * interval '15 seconds'
    where org_id = $1 and id = $2`,
};
const linesOfFile: Statement = {
  name: 'lines_to_align',
  text: `select id, start_ms as "startMs", end_ms as "endMs" from transcript_lines
    where org_id = $1 and call_id = $2 and participant_id = $3 and start_ms between $4 and $5
    order by start_ms, id`,
};
// What cites a line leads to its second.
const moveLines: Statement = {
  name: 'move_transcript_lines',
  text: `with moved as (
      update transcript_lines l set start_ms = n.start_ms, end_ms = n.end_ms
      from unnest($2::uuid[], $3::integer[], $4::integer[]) as n (id, start_ms, end_ms)
      where l.org_id = $1 and l.id = n.id and (l.start_ms, l.end_ms) <> (n.start_ms, n.end_ms)
      returning l.org_id, l.call_id, l.id, l.start_ms
    )
    update action_items i set cited_start_ms = m.start_ms from moved m
    where i.org_id = m.org_id and i.call_id = m.call_id and i.cited_line_id = m.id`,
};

/** Lines that the live clock may have put before or after the file. */
const marginMs = 5_000;

export interface MediaToAlign {
  orgId: OrgId;
  mediaId: RecordedMediaId;
}

/**
 * Gives the lines of a recorded file the file's own times, so that a click on a line plays its first word. A failure
 * is tried again, later and later.
 * @param signal ends it; it is tried again after the next start
 * @returns what has recognized what was missed during the call, for after other files; null if there is nothing
 */
export async function alignMedia(
  services: Services,
  { orgId, mediaId }: MediaToAlign,
  signal: AbortSignal,
): Promise<RestOfFile | null> {
  const { database } = services;
  const tenant = tenantOf(database, { kind: 'system', name: 'transcript-alignment', orgId }, null);
  const [media] = await tenant.connection(({ run }) =>
    run<MediaOfCall & Record<string, unknown>>(take, [orgId, mediaId]),
  );
  if (!media) return null;
  const folder = await temporary(services).make();
  const aligning = { tenant, media, folder, signal };
  const lost = await attempt(services, aligning, () => alignIn(services, aligning));
  if (lost === null) return null;
  if (lost.length > 0) return () => fill(services, aligning, lost);
  return finish(aligning, done);
}

interface Aligning {
  tenant: Tenant;
  media: MediaOfCall;
  folder: string;
  signal: AbortSignal;
}

/** @returns null after a failure, of which all but the time of the next attempt is cleared */
async function attempt<T>(
  { log }: Services,
  aligning: Aligning,
  work: () => Promise<T>,
): Promise<T | null> {
  const { tenant, media, signal } = aligning;
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    const about = { err: error, orgId: tenant.orgId, mediaId: media.mediaId };
    if (signal.aborted) return finish(aligning, release);
    const isFull = error instanceof NoDiskRoomError;
    log.warn(
      about,
      isFull ? 'a transcript waits for room on the disk' : 'a transcript was not aligned',
    );
    return finish(aligning, isFull ? whenRoom : later);
  }
}

async function finish({ tenant, media, folder }: Aligning, statement: Statement): Promise<null> {
  const { mediaId, fileKey } = media;
  await rm(folder, { recursive: true, force: true });
  const values = [tenant.orgId, mediaId, ...(statement === done ? [fileKey] : [])];
  await tenant.connection(({ run }) => run(statement, values));
  return null;
}

const inputOf = (folder: string) => join(folder, 'input');
const samplesOf = (folder: string) => join(folder, 'phrases');

/** Moves the lines. @returns the phrases that no line has */
async function alignIn(
  { files, config }: Services,
  { tenant, media, folder, signal }: Aligning,
): Promise<CutPhrase[]> {
  const { fileKey, durationMs, sizeBytes } = media;
  const [input, output] = [inputOf(folder), samplesOf(folder)];
  const cut = await withDiskRoom(config.DATA_DIR, sizeBytes, async () => {
    await pipeline(await files.get(fileKey), createWriteStream(input, { mode: 0o600 }), { signal });
    const found = await runCut({ input, output, durationMs, sizeBytes }, signal);
    await rm(input);
    return found;
  });
  const phrases = cut.map(({ startMs, endMs, position, bytes }) => ({
    startMs: Math.max(0, Math.round(startMs + media.startMs)),
    endMs: Math.max(0, Math.round(endMs + media.startMs)),
    position,
    bytes,
  }));
  const { missing } = await moveToFile(tenant, media, phrases);
  return missing.flatMap((at) => phrases[at] ?? []);
}

/** Has some of the phrases recognized. @returns what does so with the rest */
async function fill(
  services: Services,
  aligning: Aligning,
  lost: readonly CutPhrase[],
): Promise<RestOfFile | null> {
  const { tenant, media, folder, signal } = aligning;
  const next = { media, lost: lost.slice(0, filledAtOnce), samples: samplesOf(folder) };
  const outcome = await attempt(services, aligning, () =>
    fillMissing(services, tenant, next, signal),
  );
  if (outcome === null) return null;
  if (outcome === 'unavailable') return finish(aligning, later);
  const rest = lost.slice(filledAtOnce);
  if (outcome === 'used up' || rest.length === 0) return finish(aligning, done);
  await tenant.connection(({ run }) => run(renew, [tenant.orgId, media.mediaId]));
  return () => fill(services, aligning, rest);
}

async function moveToFile(
  tenant: Tenant,
  { callId, participantId, startMs, durationMs }: MediaOfCall,
  phrases: readonly { startMs: number; endMs: number }[],
): Promise<Alignment> {
  const { orgId } = tenant;
  const range = [startMs - marginMs, startMs + durationMs + marginMs];
  const lines = await tenant.connection(({ run }) =>
    run<{ id: TranscriptLineId; startMs: number; endMs: number }>(linesOfFile, [
      orgId,
      callId,
      participantId,
      ...range,
    ]),
  );
  const alignment = await alignInTurns(orgId, lines, phrases);
  const moved = lines.flatMap(({ id }, index) => {
    const time = alignment.times.get(index);
    return time ? [{ id, ...time }] : [];
  });
  await tenant.transaction((tx) =>
    tx.run(moveLines, [
      orgId,
      moved.map(({ id }) => id),
      moved.map((line) => line.startMs),
      moved.map((line) => line.endMs),
    ]),
  );
  return alignment;
}

/** Thousands of lines take turns with what others cause. */
async function alignInTurns(
  orgId: OrgId,
  lines: readonly HeardPhrase[],
  phrases: readonly HeardPhrase[],
): Promise<Alignment> {
  const steps = alignInSteps(lines, phrases);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await loopTurns.wait(`${orgId} alignment`);
  }
}

const temporary = ({ config }: Pick<Services, 'config'>) =>
  temporaryFolders(config.DATA_DIR, 'aligning');

/** Deletes what former runs left. */
export const clearTemporary = (services: Services): Promise<void> =>
  temporary(services).clear(leaseMinutes);
