import type { RoomId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { followHosted } from './follow-hosted-room.ts';

const discard: Statement = {
  name: 'discard_recordings_of_everyone',
  text: `delete from recorded_tracks where org_id = $1 and source = 'everyone'`,
};
const hurry: Statement = {
  name: 'hurry_hosted_recordings',
  text: 'update hosted_recordings set next_attempt_at = now() where org_id = $1',
};
const rooms: Statement = {
  name: 'rooms_of_hosted_recordings',
  text: 'select distinct room_id as "roomId" from hosted_recordings where org_id = $1',
};

/**
 * Has the provider stop and delete what it still has of an organization that is about to be deleted.
 * @returns whether nothing is left there
 */
export async function leaveNothingAtProvider(services: Services, tenant: Tenant): Promise<boolean> {
  if (!services.video.page?.recorder) return true;
  const { orgId } = tenant;
  const left = () => tenant.connection(({ run }) => run<{ roomId: RoomId }>(rooms, [orgId]));
  if ((await left()).length === 0) return true;
  await tenant.transaction(async ({ run }) => {
    await run(discard, [orgId]);
    await run(hurry, [orgId]);
  });
  for (const { roomId } of await left()) await followHosted(services, { orgId, roomId });
  return (await left()).length === 0;
}
