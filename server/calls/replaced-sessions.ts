import { closeCodes, sayHelloAgain } from '#domain/calls/close-codes.ts';
import type { Channel } from '#domain/calls/participant.ts';
import type { Services } from '#server/services.ts';
import type { Absences } from './absences.ts';
import { type Admitted, NotAdmitted } from './admit-participant.ts';
import { goElsewhere, type Person } from './live-person.ts';
import type { LiveRoster } from './live-roster.ts';
import type { LiveSession } from './live-session.ts';
import type { Expected, LocalRoom } from './local-room.ts';
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
  if (channel === 'meeting') goElsewhere(person);
  else if (person.sessions.size === 0) person.announced = false;
  return person.sessions.size === 0;
}

/**
 * Follows what another process tells of a participant who has a page here. Of someone whose meeting page is on one
 * process and whose panel is on another, the first one tells.
 *
 * A page may enter here while an earlier one leaves on another process, which has not heard of the new one: it tells
 * the others that the participant has left, who would not see the page that stays. It connects again instead.
 * @returns the event that ends such a page
 */
export function followElsewhere(
  { people }: LocalRoom,
  { message, processId }: RoomEvent,
  roster: LiveRoster,
): RoomEvent | undefined {
  if (!message || processId === undefined || processId === roster.processId) return undefined;
  if (message.type === 'left') {
    const person = people.get(message.participantId);
    if (!person?.sessions.has('meeting')) return void (person && roster.takeBack(person));
    roster.tellLost(person);
    return { to: message.participantId, close: { code: sayHelloAgain, reason: 'place lost' } };
  }
  if (message.type !== 'joined' && message.type !== 'changed') return undefined;
  const { id, inMeeting, connected } = message.participant;
  const person = people.get(id);
  if (!person) return undefined;
  if (!person.sessions.has('meeting')) goElsewhere(person);
  // Their panel was announced, or their former page lost, before its process heard of the meeting page.
  else if (
    (person.participant.inMeeting && !inMeeting) ||
    (person.participant.connected && !connected)
  )
    roster.change(person, {});
  return undefined;
}

/** Whether an event ends the call, one participant's admission, or an earlier page of theirs. */
export const isEnd = ({ to, close, replacedAt, message }: RoomEvent): boolean =>
  message?.type === 'call-ended' ||
  (to !== undefined && (close !== undefined || replacedAt !== undefined));

/**
 * A later page of the participant may enter on another process while this one waits, and does not find it there to end.
 * @throws NotAdmitted
 */
export function requireNotReplaced(
  { claims: { participantId }, readAt }: Admitted,
  channel: Channel,
  { ends }: Expected,
): void {
  const isReplaced = ends.some(
    (event) =>
      event.to === participantId && event.channel === channel && (event.replacedAt ?? 0) > readAt,
  );
  if (isReplaced) throw new NotAdmitted(closeCodes.replaced, 'replaced');
}
