import { notFound } from '#domain/errors.ts';
import type { CallId, RecordedMediaId } from '#domain/ids.ts';
import type { MediaState, RecordedFile, Recording } from '#domain/recordings/contract.ts';
import { samePerson } from '#server/consent/same-person.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { type MediaHolder, mediaUrl } from './media-url.ts';
import { nameOfTrack } from './name-of-track.ts';
import { type RecordedRow, recordedPeople } from './recorded-people.ts';
import { shownFiles, valuesOf } from './shown-files.ts';

interface CallRow {
  startedAt: Date;
  isCapturing: boolean;
  removal: 'expired' | 'deleted' | null;
  expiresAt: Date | null;
  reason: string | null;
  placedAt: Date | null;
  placedBy: string | null;
}
const readCall: Statement = {
  name: 'recorded_call',
  text: `select c.started_at as "startedAt",
      c.ended_at is null and exists (select from captures x where x.org_id = c.org_id and x.call_id = c.id
        and x.kind = 'recording' and x.stopped_at is null) as "isCapturing",
      (select reason from recording_removals r where r.call_id = c.id) as removal,
      case when h.call_id is null then (select c.ended_at + r.days * interval '1 day' from retention_rules r
        where r.org_id = c.org_id and r.kind = 'recordings') end as "expiresAt",
      h.reason, h.placed_at as "placedAt",
      nullif(trim(concat(a.first_name, ' ', a.last_name)), '') as "placedBy"
    from calls c
    left join legal_holds h on h.call_id = c.id
    left join known_people a on a.id = h.placed_by
    where c.org_id = $1 and c.id = $2`,
};

interface FileRow extends RecordedRow {
  mediaId: RecordedMediaId;
  state: MediaState;
  mimeType: string | null;
  hasVideo: boolean;
  sizeBytes: number | null;
  hasPoster: boolean;
  waveform: Buffer | null;
}
/**
 * Values of the waveforms in an answer: eight hours of sound, each of which takes the server's thread for a few
 * milliseconds. Files beyond it are shown without.
 */
const mostWaveform = 300_000;
/** SQL for the waveform of a file, which is named `m`, in an answer with the files in this order. */
export const waveformWithin = (order: string) =>
  `case when sum(coalesce(length(m.waveform), 0)) over (order by ${order}, m.id) <= ${mostWaveform}
    then m.waveform end`;

// A segment of which nothing has arrived is shown once something has. What a media server is writing arrives as a whole.
const readFiles: Statement = {
  name: 'recorded_files',
  text: `select t.id as "trackId", ${samePerson('t')} as "participantId", ${nameOfTrack('t')} as name, t.participant_kind as kind,
      t.source, m.id as "mediaId", m.state,
      greatest(0, round(extract(epoch from m.started_at - c.started_at) * 1000))::int as "startMs",
      m.duration_ms as "durationMs", m.mime_type as "mimeType", s.has_video as "hasVideo",
      m.size_bytes::float8 as "sizeBytes", m.poster_key is not null as "hasPoster",
      ${waveformWithin('t.id, m.started_at')} as waveform
    from recorded_tracks t
    join calls c on c.id = t.call_id
    join recorded_segments s on s.org_id = t.org_id and s.track_id = t.id
    join recorded_media m on m.org_id = s.org_id and m.segment_id = s.id
    where t.org_id = $1 and t.call_id = $2 and (s.stored_parts > 0 or m.state = 'failed'
      or exists (select from recorded_egresses e where e.segment_id = s.id)
      or exists (select from hosted_recordings h where h.segment_id = s.id))
    order by t.id, m.started_at limit 2000`,
};

/** Signs addresses of files for their reader. */
export interface Signing {
  secrets: Secrets;
  holder: MediaHolder;
}

/** Returns a call's recording, with addresses of its files for the next minutes. @throws DomainError 404 */
export function readRecording(tenant: Tenant, id: CallId, signing: Signing): Promise<Recording> {
  return tenant.connection(async ({ run }) => {
    const [call] = await run<CallRow & Record<string, unknown>>(readCall, [tenant.orgId, id]);
    if (!call) throw notFound();
    const rows = await run<FileRow & Record<string, unknown>>(readFiles, [tenant.orgId, id]);
    // With the connection, so that an organization makes only as many at once as it has connections.
    return recordingOf(tenant, id, call, rows, signing);
  });
}

async function recordingOf(
  tenant: Tenant,
  callId: CallId,
  call: CallRow,
  rows: FileRow[],
  signing: Signing,
): Promise<Recording> {
  const ends = rows.map(({ startMs, durationMs }) => startMs + (durationMs ?? 0));
  const { reason, placedAt, placedBy } = call;
  const fileOfRow = await shownFiles(rows, (row) => fileOf(tenant, row, signing));
  return {
    callId,
    state: stateOf(call, rows),
    durationMs: Math.max(0, ...ends),
    sizeBytes: rows.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
    people: recordedPeople(rows, fileOfRow),
    expiresAt: rows.length > 0 ? (call.expiresAt?.toISOString() ?? null) : null,
    legalHold:
      reason !== null && placedAt !== null
        ? { reason, placedAt: placedAt.toISOString(), placedBy }
        : null,
  };
}

function stateOf({ isCapturing, removal }: CallRow, rows: FileRow[]): Recording['state'] {
  if (isCapturing) return 'recording';
  if (rows.length === 0) return removal ?? 'none';
  if (rows.some(({ state }) => state === 'waiting')) return 'processing';
  const failed = rows.filter(({ state }) => state === 'failed').length;
  if (failed === 0) return 'ready';
  return failed === rows.length ? 'failed' : 'partial';
}

function fileOf({ orgId: org }: Tenant, row: FileRow, { secrets, holder }: Signing): RecordedFile {
  const { mediaId, state, hasPoster, waveform } = row;
  const isReady = state === 'ready';
  const of = { org, media: mediaId, holder };
  return {
    id: mediaId,
    state,
    url: isReady ? mediaUrl(secrets, of, 'media') : null,
    posterUrl: isReady && hasPoster ? mediaUrl(secrets, of, 'poster') : null,
    mimeType: row.mimeType,
    hasVideo: row.hasVideo,
    startMs: row.startMs,
    durationMs: row.durationMs,
    sizeBytes: row.sizeBytes,
    waveform: valuesOf(waveform),
  };
}
