import type { Actor } from '#domain/auth/permissions.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import type { RecordedMediaId, ShareId } from '#domain/ids.ts';
import type { RecordedFile } from '#domain/recordings/contract.ts';
import type { SharedRecording } from '#domain/shares/contract.ts';
import { samePerson } from '#server/consent/same-person.ts';
import { brandOf } from '#server/organizations/brand.ts';
import {
  type AnswerPace,
  type Tenant,
  type TenantConnection,
  tenantOf,
} from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { mediaUrl } from '#server/recordings/media-url.ts';
import { nameOfTrack } from '#server/recordings/name-of-track.ts';
import { type Signing, waveformWithin } from '#server/recordings/read-recording.ts';
import { type RecordedRow, recordedPeople } from '#server/recordings/recorded-people.ts';
import { shownFiles, valuesOf } from '#server/recordings/shown-files.ts';
import { isShownToStrangers } from '#server/recordings/shown-to-strangers.ts';
import type { Services } from '#server/services.ts';

/** Values of a waveform in a second. */
const waveformRate = 10;

interface ShareRow {
  id: ShareId;
  title: string;
  startMs: number | null;
  endMs: number | null;
  expiresAt: Date;
  isEnded: boolean;
  name: string;
  brandColor: string;
  logoFileId: Parameters<typeof brandOf>[0]['logoFileId'];
}
const shareByToken: Statement = {
  name: 'share_by_token',
  text: `select s.id, coalesce(s.title, r.topic) as title, s.start_ms as "startMs", s.end_ms as "endMs",
      s.expires_at as "expiresAt", s.revoked_at is not null or s.expires_at <= now() as "isEnded",
      o.name, o.brand_color as "brandColor", o.logo_file_id as "logoFileId"
    from recording_shares s
    join calls c on c.org_id = s.org_id and c.id = s.call_id
    join rooms r on r.org_id = c.org_id and r.id = c.room_id
    join organizations o on o.id = s.org_id
    where s.org_id = $1 and s.token_hash = $2`,
};

interface FileRow extends RecordedRow {
  mediaId: RecordedMediaId;
  durationMs: number;
  mimeType: string | null;
  hasVideo: boolean;
  sizeBytes: number | null;
  hasPoster: boolean;
  waveform: Buffer | null;
}
const sharedFiles: Statement = {
  name: 'shared_files',
  text: `select m.id as "mediaId", t.id as "trackId", ${samePerson('t')} as "participantId", ${nameOfTrack('t')} as name,
      t.participant_kind as kind, t.source, g.has_video as "hasVideo",
      greatest(0, round(extract(epoch from m.started_at - c.started_at) * 1000))::int as "startMs",
      m.duration_ms as "durationMs", m.mime_type as "mimeType", m.size_bytes::float8 as "sizeBytes",
      m.poster_key is not null as "hasPoster", ${waveformWithin('t.id, m.started_at')} as waveform
    from recording_shares s
    join calls c on c.org_id = s.org_id and c.id = s.call_id
    join recorded_tracks t on t.org_id = s.org_id and t.call_id = s.call_id
    join recorded_media m on m.org_id = t.org_id and m.track_id = t.id
    join recorded_segments g on g.org_id = m.org_id and g.id = m.segment_id
    where s.org_id = $1 and s.id = $2 and m.state = 'ready' and m.duration_ms is not null
      and ${isShownToStrangers}
    order by t.id, m.started_at limit 2000`,
};
const noteView: Statement = {
  name: 'note_share_view',
  text: `update recording_shares set last_viewed_at = now()
    where org_id = $1 and id = $2
      and (last_viewed_at is null or last_viewed_at < now() - interval '1 minute')`,
};

/**
 * Returns a shared recording, with addresses of its files for the next minutes. Of a clip, files outside of it are
 * left out.
 * @param given.hash of the link's token
 * @param given.pace of the answer, which is waited for only with a valid link
 * @throws DomainError 404 for an unknown link, 410 for one that has expired or was revoked
 */
export async function readShared(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  viewer: Viewer,
  { hash, pace }: { hash: Buffer; pace: () => AnswerPace },
): Promise<SharedRecording> {
  const { actor, address } = viewer;
  await tenantOf(database, actor, address).connection((at) => findShare(at, hash));
  const tenant = tenantOf(database, actor, address, null, pace());
  return tenant.connection(async (at) => {
    // It may have been revoked while this waited.
    const share = await findShare(at, hash);
    const rows = await at.run<FileRow & Record<string, unknown>>(sharedFiles, [
      tenant.orgId,
      share.id,
    ]);
    await at.run(noteView, [tenant.orgId, share.id]);
    return sharedOf(tenant, share, rows, secrets);
  });
}

interface Viewer {
  actor: Extract<Actor, { kind: 'system' }>;
  address: string;
}

async function findShare({ run, tenant }: TenantConnection, hash: Buffer): Promise<ShareRow> {
  const [share] = await run<ShareRow & Record<string, unknown>>(shareByToken, [tenant.orgId, hash]);
  if (!share) throw notFound();
  if (share.isEnded)
    throw new DomainError('gone', 'share_ended', 'This link has expired or was revoked.');
  return share;
}

async function sharedOf(
  tenant: Tenant,
  share: ShareRow,
  rows: readonly FileRow[],
  secrets: Secrets,
): Promise<SharedRecording> {
  const { startMs, endMs } = share;
  const clip = startMs === null || endMs === null ? null : { startMs, endMs };
  const files = rows.filter(
    (row) => !clip || (row.startMs < clip.endMs && row.startMs + row.durationMs > clip.startMs),
  );
  const shown = (row: FileRow) =>
    fileOf(tenant, row, { secrets, holder: { share: share.id } }, clip);
  return {
    title: share.title,
    organization: brandOf(share),
    clip,
    expiresAt: share.expiresAt.toISOString(),
    durationMs: Math.max(0, ...files.map((row) => row.startMs + row.durationMs)),
    people: recordedPeople(files, await shownFiles(files, shown)),
  };
}

function fileOf(
  { orgId: org }: Tenant,
  row: FileRow,
  { secrets, holder }: Signing,
  clip: SharedRecording['clip'],
): RecordedFile {
  const of = { org, media: row.mediaId, holder };
  return {
    id: row.mediaId,
    state: 'ready',
    url: mediaUrl(secrets, of, 'media'),
    posterUrl: row.hasPoster ? mediaUrl(secrets, of, 'poster') : null,
    mimeType: row.mimeType,
    hasVideo: row.hasVideo,
    startMs: row.startMs,
    durationMs: row.durationMs,
    sizeBytes: row.sizeBytes,
    waveform: within(row, clip),
  };
}

/** Returns the waveform with silence outside of the clip. */
function within(row: FileRow, clip: SharedRecording['clip']): number[] {
  const waveform = valuesOf(row.waveform);
  if (!clip) return waveform;
  return waveform.map((value, index) => {
    const atMs = row.startMs + (index * 1000) / waveformRate;
    return atMs >= clip.startMs && atMs < clip.endMs ? value : 0;
  });
}
