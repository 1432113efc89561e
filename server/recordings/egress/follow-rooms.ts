import { listenToRecordings, type RecordingChange } from '#server/consent/recording-events.ts';
import type { Site } from '#server/http/route.ts';
import type { Statement } from '#server/platform/database.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { followRoom } from './follow-room.ts';

/** LiveKit's events come earlier. Without them, or after a restart, this finds what they would have said. */
const everySeconds = 5;
/** Of an organization, half of them: a media server that answers slowly keeps no other organization waiting. */
const roomsAtOnce = { ofOrganization: 4, inAll: 8 };
/** An organization's other rooms have their turn in a later look. */
const mostRooms = { ofOrganization: 200, inAll: 1_000 };

const due: Statement = {
  name: 'rooms_recorded_by_egress',
  text: 'select org_id as "orgId", room_id as "roomId" from rooms_recorded_by_egress($1, $2)',
};

/** Follows a room after each change in it, on whichever process. Nothing without a media server that records. */
export function followChanges(site: Site): void {
  if (!site.video.mediaServer?.recorder) return;
  const stop = listenToRecordings(site.bus, (room) => void followRoom(site, room));
  site.http.addHook('onClose', async () => stop());
}

/** Looks at the rooms that a media server records, or should, organizations in turn. */
export async function followRooms(services: Services, isStopping = () => false): Promise<void> {
  const rooms = await services.database.background(({ run }) =>
    run<RecordingChange & Record<string, unknown>>(due, [
      mostRooms.ofOrganization,
      mostRooms.inAll,
    ]),
  );
  const turns = new FairQueue({
    atOnce: roomsAtOnce.inAll,
    perKey: roomsAtOnce.ofOrganization,
    mostWaiting: mostRooms.ofOrganization,
  });
  await Promise.all(
    rooms.map(({ orgId, roomId }) =>
      turns.run(orgId, async () => {
        if (!isStopping()) await followRoom(services, { orgId, roomId });
      }),
    ),
  );
}

/** Follows the rooms until it is stopped. Nothing without a media server that records. */
export function startFollowingRooms(services: Services): Repeated {
  const { log, video } = services;
  if (!video.mediaServer?.recorder) return { stop: async () => {} };
  const failed = 'rooms that the media server records could not be looked for';
  return repeat({ everySeconds, log, failed }, (isStopping) => followRooms(services, isStopping));
}
