import { closeCodes } from '#domain/calls/close-codes.ts';
import type { Services } from '#server/services.ts';
import type { Absences } from './absences.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { type RoomEvent, tellRoom } from './room-events.ts';

/** Ends the participant's earlier pages on other processes. Those of its own a process replaces itself. */
export function replaceElsewhere(
  { bus }: Pick<Services, 'bus'>,
  { admitted: { claims } }: Person,
  { channel, beganAt }: LiveSession,
): void {
  const { participantId: to, roomId } = claims;
  tellRoom(bus, roomId, { to, channel, replacedAt: beganAt });
}

/**
 * Ends a page whose person has gone on by another process. They have not left: neither the roster nor the attendance
 * changes.
 * @returns whether it was their last page on this process
 */
export function endReplaced(
  person: Person,
  { channel, replacedAt }: RoomEvent,
  absences: Absences,
): boolean {
  const session = channel && person.sessions.get(channel);
  if (!session || replacedAt === undefined || session.beganAt >= replacedAt) return false;
  session.close(closeCodes.replaced, 'replaced');
  absences.over(person, channel);
  person.sessions.delete(channel);
  person.isElsewhere ||= channel === 'meeting' || person.sessions.size === 0;
  return person.sessions.size === 0;
}
