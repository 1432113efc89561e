import type { BodyOf } from '#domain/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type CallId, recordedMediaId, recordedSegmentId } from '#domain/ids.ts';
import type { beginSegment as contract } from '#domain/recordings/contract.ts';
import { mayCapture } from '#server/consent/agreed.ts';
import { type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { trackOf } from './recorded-track.ts';
import { requireRoom } from './room-left.ts';
import { mintUploadToken } from './upload-token.ts';

interface Attendance {
  callId: CallId;
  isInside: boolean;
}

const findAttendance: Statement = {
  name: 'recorded_attendance',
  text: `select a.call_id as "callId", a.left_at is null and c.ended_at is null as "isInside"
    from attendances a join calls c on c.id = a.call_id
    where a.org_id = $1 and a.id = $2 and c.room_id = $3`,
};
const addSegment: Statement = {
  name: 'add_recorded_segment',
  text: `with added as (
      insert into recorded_segments (id, org_id, track_id, started_at, mime_type, has_video)
      values ($2, $1, $3, now() - $4 * interval '1 millisecond', $5, $6) returning *
    )
    insert into recorded_media (id, org_id, track_id, segment_id, state, started_at)
    select $7, org_id, track_id, id, 'waiting', started_at from added`,
};

/**
 * Begins a segment of the recording of a participant who is in a running call, and has agreed.
 * @throws DomainError 403 without consent, 404, 409 outside of the call, 429, 507
 */
export async function beginSegment(
  services: Services,
  claims: MeetingClaims,
  body: BodyOf<typeof contract>,
  address: string,
) {
  const { orgId, roomId, participantId } = claims;
  const actor = { kind: 'guest' as const, orgId, roomId, participantId };
  const tenant = tenantOf(services.database, actor, address);
  await requireRoom(services, tenant);
  const segmentId = newId(recordedSegmentId);
  await tenant.transaction(async (tx) => {
    await requireConsent(tx, claims);
    const trackId = await trackOf(tx, claims, body.source);
    await tx.run(addSegment, [
      ...[orgId, segmentId, trackId, body.ageMs, body.mimeType, body.hasVideo],
      newId(recordedMediaId),
    ]);
  });
  const uploadToken = await mintUploadToken(services.secrets, {
    segmentId,
    orgId,
    roomId,
    participantId,
  });
  return { segmentId, uploadToken };
}

async function requireConsent(tx: TenantConnection, claims: MeetingClaims): Promise<void> {
  const { orgId, roomId, participantId } = claims;
  const [here] = await tx.run<Attendance & Record<string, unknown>>(findAttendance, [
    ...[orgId, participantId, roomId],
  ]);
  if (!here) throw notFound();
  if (!here.isInside) {
    throw new DomainError('conflict', 'not_in_call', 'You’re not in this call any more.');
  }
  if (await mayCapture(tx, here.callId, participantId, 'recording')) return;
  throw new DomainError(
    'forbidden',
    'not_agreed',
    'You’re not being recorded: this call isn’t recorded, or you haven’t agreed.',
  );
}
