import { absenceGraceSeconds } from '#domain/calls/live.ts';
import { isConnected, isSameEntrant, type Person } from './live-person.ts';
import type { LocalRoom } from './local-room.ts';
import type { Channel } from './room-events.ts';

/** Participants of an account, or of a guest link and address, whose places in a room are kept. */
const mostAbsent = 20;

/**
 * Keeps the place of a participant whose socket is gone, for a while. Of more than twenty with the same
 * account, or the same guest link and address, the earliest leaves.
 * @param leave ends the session of one page
 */
export function awaitReturn(
  person: Person,
  channel: Channel,
  room: LocalRoom | undefined,
  leave: (person: Person, channel: Channel) => void,
): void {
  const timer = setTimeout(() => leave(person, channel), absenceGraceSeconds * 1000);
  person.absences.set(channel, timer.unref());
  const absent = [...(room?.people.values() ?? [])].filter(
    (other) => isSameEntrant(other, person) && !isConnected(other),
  );
  const [first] = absent;
  if (!first || absent.length <= mostAbsent) return;
  for (const each of [...first.sessions.keys()]) leave(first, each);
}
