import { DomainError, notFound } from '#domain/errors.ts';
import {
  type OrgId,
  type ParticipantId,
  type RecordedTrackId,
  recordedTrackId,
} from '#domain/ids.ts';
import type { RecordedSource } from '#domain/recordings/contract.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { uploadBounds } from './bounds.ts';

// Counts the segments of before, too: a track is one row for each camera or screen.
const findTrack: Statement = {
  name: 'recorded_track',
  text: `insert into recorded_tracks
      (id, org_id, call_id, participant_id, participant_kind, account_id, name, source)
    select $3, a.org_id, a.call_id, a.id, a.kind, a.account_id, a.name, $4
    from attendances a where a.org_id = $1 and a.id = $2
    on conflict (org_id, call_id, participant_id, source) do update set name = excluded.name
    returning id, (select count(*) from recorded_segments s where s.org_id = recorded_tracks.org_id
      and s.track_id = recorded_tracks.id)::int as segments`,
};

/**
 * Returns the track of a participant who is in a call, and adds it if there is none.
 * @throws DomainError 404, 429 if it has too many segments
 */
export async function trackOf(
  tx: TenantConnection,
  { orgId, participantId }: { orgId: OrgId; participantId: ParticipantId },
  source: RecordedSource,
): Promise<RecordedTrackId> {
  const values = [orgId, participantId, newId(recordedTrackId), source];
  const [track] = await tx.run<{ id: RecordedTrackId; segments: number }>(findTrack, values);
  if (!track) throw notFound();
  if (track.segments >= uploadBounds.mostSegmentsOfTrack) {
    throw new DomainError(
      'too_many',
      'too_many_segments',
      'This recording was restarted too many times.',
    );
  }
  return track.id;
}
