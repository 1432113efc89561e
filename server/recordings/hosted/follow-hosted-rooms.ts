import pMap from 'p-map';
import { listenToRecordings, type RecordingChange } from '#server/consent/recording-events.ts';
import type { Site } from '#server/http/route.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { followHosted } from './follow-hosted-room.ts';

/** Events come earlier. After a restart, or where one got lost, this finds what they would have said. */
const everySeconds = 5;
const roomsAtOnce = 4;
const mostRooms = 1_000;

const due: Statement = {
  name: 'rooms_recorded_by_provider',
  text: 'select org_id as "orgId", room_id as "roomId" from rooms_recorded_by_provider($1)',
};

/** Follows a room after each change in it. Nothing without a provider that records. */
export function followHostedChanges(site: Site): void {
  if (!site.video.page?.recorder) return;
  const stop = listenToRecordings(site.bus, (room) => void followHosted(site, room));
  site.http.addHook('onClose', async () => stop());
}

/** Looks at every room that the provider records, or should, and at those whose files are to be fetched. */
export async function followHostedRooms(
  services: Services,
  isStopping = () => false,
): Promise<void> {
  const rooms = await services.database.background(({ run }) =>
    run<RecordingChange & Record<string, unknown>>(due, [mostRooms]),
  );
  await pMap(
    rooms,
    async (room) => {
      if (!isStopping()) await followHosted(services, room, { isAsked: false });
    },
    { concurrency: roomsAtOnce },
  );
}

/** Follows the rooms until it is stopped. Nothing without a provider that records. */
export function startFollowingHostedRooms(services: Services): Repeated {
  const { log, video } = services;
  if (!video.page?.recorder) return { stop: async () => {} };
  const failed = 'rooms that the hosted page records could not be looked for';
  return repeat({ everySeconds, log, failed }, (isStopping) =>
    followHostedRooms(services, isStopping),
  );
}
