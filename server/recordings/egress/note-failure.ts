import type { ParticipantId, RecordedSegmentId, RoomId } from '#domain/ids.ts';
import { tellRoom } from '#server/calls/room-events.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';

const tryLater: Statement = {
  name: 'start_egress_later',
  text: `update recorded_egresses set egress_name = null, error = $3,
      next_attempt_at = now() + least(60, power(2, least(attempts, 6))) * interval '1 second'
    where org_id = $1 and segment_id = $2 and stopped_at is null returning segment_id`,
};

interface FailedEgress {
  segmentId: RecordedSegmentId;
  participantId: ParticipantId;
  roomId: RoomId;
}

/** Keeps why a track is not recorded, has it tried again later, and tells its person. */
export async function noteFailure(
  { bus }: Pick<Services, 'bus'>,
  tenant: Tenant,
  egress: FailedEgress,
  reason: string,
): Promise<void> {
  const noted = await tenant.connection(({ run }) =>
    run(tryLater, [tenant.orgId, egress.segmentId, reason.slice(0, 500)]),
  );
  if (noted.length > 0) tellWhetherSaved(bus, egress, true);
}

/** Tells a participant whether what is recorded of them is being saved. */
export const tellWhetherSaved = (
  bus: Services['bus'],
  { roomId, participantId: to }: Omit<FailedEgress, 'segmentId'>,
  isFailing: boolean,
) =>
  tellRoom(bus, roomId, {
    to,
    channel: 'meeting',
    message: { type: 'server-recording', isFailing },
  });
