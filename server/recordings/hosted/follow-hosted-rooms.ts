import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { OrgId } from '#domain/ids.ts';
import { listenToRecordings, type RecordingChange } from '#server/consent/recording-events.ts';
import type { Site } from '#server/http/route.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { followHosted } from './follow-hosted-room.ts';

/** Events come earlier. After a restart, or where one got lost, this finds what they would have said. */
const everySeconds = 5;
const patienceMs = 1_000;
/** Rooms of an organization at a time. */
const ofOrganization = 2;
/** An organization's other rooms have their turn in a later look. */
const mostRooms = { ofOrganization: 200, inAll: 1_000 };

const due: Statement = {
  name: 'rooms_recorded_by_provider',
  text: 'select org_id as "orgId", room_id as "roomId" from rooms_recorded_by_provider($1, $2)',
};

/** Follows a room after each change in it. Nothing without a provider that records. */
export function followHostedChanges(site: Site): void {
  if (!site.video.page?.recorder) return;
  const stop = listenToRecordings(site.bus, (room) => void followHosted(site, room));
  site.http.addHook('onClose', async () => stop());
}

/**
 * Looks at every room that the provider records, or should, and at those whose files are to be fetched. Organizations are
 * handled side by side, because each waits for its own turns at the provider.
 * @param working organizations that a former run still handles, which are left out
 */
export async function followHostedRooms(
  services: Services,
  isStopping = () => false,
  working = new Set<OrgId>(),
): Promise<void> {
  const rooms = await services.database.background(({ run }) =>
    run<RecordingChange & Record<string, unknown>>(due, [
      mostRooms.ofOrganization,
      mostRooms.inAll,
    ]),
  );
  const organizations = [...Map.groupBy(rooms, ({ orgId }) => orgId)].filter(
    ([orgId]) => !working.has(orgId),
  );
  const follow = async (room: RecordingChange) => {
    if (!isStopping()) await followHosted(services, room, { isAsked: false });
  };
  await Promise.all(
    organizations.map(async ([orgId, some]) => {
      working.add(orgId);
      try {
        await pMap(some, follow, { concurrency: ofOrganization });
      } finally {
        working.delete(orgId);
      }
    }),
  );
}

/** Follows the rooms until it is stopped. Nothing without a provider that records. */
export function startFollowingHostedRooms(services: Services): Repeated {
  const { log, video } = services;
  if (!video.page?.recorder) return { stop: async () => {} };
  const failed = 'rooms that the hosted page records could not be looked for';
  const working = new Set<OrgId>();
  const following = new Set<Promise<void>>();
  const looking = repeat({ everySeconds, log, failed }, async (isStopping) => {
    const pass = followHostedRooms(services, isStopping, working)
      .catch((error) => log.error({ err: error }, failed))
      .finally(() => following.delete(pass));
    following.add(pass);
    // What takes longer goes on beside the next passes.
    await Promise.race([pass, sleep(patienceMs, undefined, { ref: false })]);
  });
  return {
    stop: async () => {
      await looking.stop();
      await Promise.allSettled(following);
    },
  };
}
