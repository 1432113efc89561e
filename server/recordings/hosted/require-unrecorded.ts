import { DomainError } from '#domain/errors.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { HostedRoom } from '#server/providers/video/hosted-room.ts';
import type { Services } from '#server/services.ts';
import { followHosted } from './follow-hosted-room.ts';

const hurry: Statement = {
  name: 'hurry_stop_of_hosted_recording',
  text: `update hosted_recordings set next_attempt_at = now()
    where org_id = $1 and room_id = $2 and stopped_at is not null and stop_confirmed_at is null`,
};
const stillRecorded: Statement = {
  name: 'room_is_recorded_by_provider',
  text: `select from hosted_recordings
    where org_id = $1 and room_id = $2 and stop_confirmed_at is null limit 1`,
};

/**
 * Waits until the provider records nothing in a room into which someone comes who has declined. They hold a token
 * already, so that no recording begins until they have left.
 * @throws DomainError 503 if the provider does not confirm it
 */
export async function requireUnrecorded(
  services: Services,
  tenant: Tenant,
  room: HostedRoom,
): Promise<void> {
  if (!services.video.page?.recorder) return;
  await tenant.connection(({ run }) => run(hurry, [tenant.orgId, room.roomId]));
  await followHosted(services, room);
  const running = await tenant.connection(({ run }) =>
    run(stillRecorded, [tenant.orgId, room.roomId]),
  );
  if (running.length > 0) throw notStopped();
}

const notStopped = () =>
  new DomainError(
    'unavailable',
    'recording_not_stopped',
    'This call is still being recorded, so you can’t join without being recorded. Please try again in a moment.',
    { retryAfterSeconds: 5 },
  );
