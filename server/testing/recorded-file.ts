import { recordedMediaId, recordedSegmentId, recordedTrackId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import type { TestApp } from './open-test-app.ts';
import { storeConsent } from './stored-consent.ts';

interface StoredPerson {
  participantId?: string;
  name?: string;
  agrees?: boolean;
  startMs?: number;
  durationMs?: number;
}

/** Stores a ready file of one person’s recording, with their answer to whether they may be recorded. */
export async function storeRecordedFile(
  { owner }: Pick<TestApp, 'owner'>,
  call: { id: string; roomId: string; orgId: string | null },
  person: StoredPerson = {},
): Promise<{ trackId: string; mediaId: string; participantId: string }> {
  const { name = 'Grace', agrees = true, startMs = 0, durationMs = 60_000 } = person;
  const [trackId, segmentId, mediaId] = [
    newId(recordedTrackId),
    newId(recordedSegmentId),
    newId(recordedMediaId),
  ];
  const participantId = person.participantId ?? newId(recordedTrackId);
  const { id, orgId } = call;
  await owner.query(
    `insert into recorded_tracks (id, org_id, call_id, participant_id, participant_kind, name, source)
     values ($1, $2, $3, $4, 'guest', $5, 'camera')`,
    [trackId, orgId, id, participantId, name],
  );
  await owner.query(
    `insert into recorded_segments (id, org_id, track_id, started_at, mime_type, has_video, completed_at, stored_parts)
     select $1, $2, $3, c.started_at + $4 * interval '1 ms', 'video/webm', true, now(), 1
     from calls c where c.id = $5`,
    [segmentId, orgId, trackId, startMs, id],
  );
  await owner.query(
    `insert into recorded_media (id, org_id, track_id, segment_id, state, started_at, duration_ms,
       mime_type, size_bytes, file_key, waveform)
     select $1, $2, $3, $4, 'ready', s.started_at, $5, 'video/mp4', 1000, $6, $7
     from recorded_segments s where s.id = $4`,
    [mediaId, orgId, trackId, segmentId, durationMs, `${mediaId}.mp4`, Buffer.alloc(600, 200)],
  );
  const agreed = agrees ? (['recording'] as const) : [];
  await storeConsent({ owner }, { callId: id, participantId, name, asked: ['recording'], agreed });
  return { trackId, mediaId, participantId };
}
