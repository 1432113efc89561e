import { FairQueue } from '#server/platform/fair-queue.ts';
import type { Services } from '#server/services.ts';
import { admitByClaims, NotAdmitted } from './admit-participant.ts';
import type { Person } from './live-person.ts';
import type { LiveRooms } from './live-rooms.ts';

/** Apart from those of connected pages, which pages that are gone must not delay. */
const lookUps = new FairQueue({
  atOnce: 3,
  perKey: 1,
  mostWaiting: Number.POSITIVE_INFINITY,
});

/**
 * Moves rooms to new media rooms if one of these people, who were in the meeting and whose pages are gone, would
 * not be admitted now: their passes may be valid still. One move ends all passes of a room.
 */
export function endMediaOfGone(services: Services, rooms: LiveRooms, people: Person[]): void {
  if (services.video.mediaServer === null) return;
  const byRoom = Map.groupBy(people, ({ admitted }) => admitted.claims.roomId);
  for (const [roomId, ofRoom] of byRoom) {
    const key = ofRoom[0]?.admitted.claims.orgId ?? roomId;
    void lookUps.run(key, async () => {
      for (const person of ofRoom) {
        if (await isAdmitted(services, person)) continue;
        rooms.endMedia(person);
        return;
      }
    });
  }
}

async function isAdmitted(services: Services, { admitted }: Person): Promise<boolean> {
  const { claims, tenant, name } = admitted;
  try {
    return !(await admitByClaims(services, claims, name, tenant.address, true)).isHeld;
  } catch (error) {
    // Nobody keeps media whose rights are not known.
    if (!(error instanceof NotAdmitted))
      services.log.error({ err: error }, 'a person who is gone could not be looked up');
    return false;
  }
}
