import pMap from 'p-map';
import { listenToRecordings, type RecordingChange } from '#server/consent/recording-events.ts';
import type { Site } from '#server/http/route.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { followRoom } from './follow-room.ts';

/** LiveKit's events come earlier. Without them, or after a restart, this finds what they would have said. */
const everySeconds = 5;
const roomsAtOnce = 8;
const mostRooms = 1_000;

const due: Statement = {
  name: 'rooms_recorded_by_egress',
  text: 'select org_id as "orgId", room_id as "roomId" from rooms_recorded_by_egress($1)',
};

/** Follows a room after each change in it, on whichever process. Nothing without a media server that records. */
export function followChanges(site: Site): void {
  if (!site.video.mediaServer?.recorder) return;
  const stop = listenToRecordings(site.bus, (room) => void followRoom(site, room));
  site.http.addHook('onClose', async () => stop());
}

/** Looks at every room that a media server records, or should. */
export async function followRooms(services: Services, isStopping = () => false): Promise<void> {
  const rooms = await services.database.connection('outside', ({ run }) =>
    run<RecordingChange & Record<string, unknown>>(due, [mostRooms]),
  );
  await pMap(
    rooms,
    async ({ orgId, roomId }) => {
      if (!isStopping()) await followRoom(services, { orgId, roomId });
    },
    { concurrency: roomsAtOnce },
  );
}

/** Follows the rooms until it is stopped. Nothing without a media server that records. */
export function startFollowingRooms(services: Services): Repeated {
  const { log, video } = services;
  if (!video.mediaServer?.recorder) return { stop: async () => {} };
  const failed = 'rooms that the media server records could not be looked for';
  return repeat({ everySeconds, log, failed }, (isStopping) => followRooms(services, isStopping));
}
