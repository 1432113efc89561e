import type { ToBrowser } from '#domain/calls/live.ts';
import type { Participant } from '#domain/calls/participant.ts';

/** The participants in the room, as far as this page knows. */
export type Roster = {
  self: string | null;
  participants: readonly Participant[];
  /**
   * Participants who were in the meeting before the server restarted and have not come back yet.
   * Their videos stay, since media do not pass through the server; `forgetMissing` removes them.
   */
  missing: readonly string[];
};

export const emptyRoster: Roster = { self: null, participants: [], missing: [] };

export function nextRoster(roster: Roster, message: ToBrowser): Roster {
  switch (message.type) {
    case 'welcome':
      // The missed messages bring a resumed session up to date.
      return message.resumed && roster.self !== null
        ? roster
        : renewed(roster, message.self, message.participants);
    case 'joined':
    case 'changed':
      return upserted(roster, message.participant);
    case 'left':
      return without(roster, [message.participantId]);
    default:
      return roster;
  }
}

/** @param stays whether media still arrive from this participant */
export function forgetMissing(roster: Roster, stays: (id: string) => boolean): Roster {
  const gone = roster.missing.filter((id) => !stays(id));
  return gone.length === 0 ? roster : without(roster, gone);
}

/** The others in the meeting, connected or reconnecting. */
export function othersInMeeting(roster: Roster): readonly Participant[] {
  return roster.participants.filter((one) => one.inMeeting && one.id !== roster.self);
}

/** Whether there are more others in the meeting than before. */
export const someoneJoined = (before: Roster, after: Roster): boolean =>
  othersInMeeting(after).length > othersInMeeting(before).length;

function renewed(before: Roster, self: string, participants: readonly Participant[]): Roster {
  const back = new Set(participants.filter((one) => one.inMeeting).map((one) => one.id));
  const absent = before.participants
    .filter((one) => one.inMeeting && one.id !== before.self && !back.has(one.id))
    .map((one) => ({ ...one, connected: false }));
  const missing = absent.map((one) => one.id);
  const here = participants.filter((one) => !missing.includes(one.id));
  return { self, participants: [...here, ...absent], missing };
}

function upserted(roster: Roster, participant: Participant): Roster {
  const { id } = participant;
  // For staff, the page around the meeting may be back before the meeting.
  if (roster.missing.includes(id) && !participant.inMeeting) return roster;
  const known = roster.participants.some((one) => one.id === id);
  return {
    ...roster,
    participants: known
      ? roster.participants.map((one) => (one.id === id ? participant : one))
      : [...roster.participants, participant],
    missing: roster.missing.filter((one) => one !== id),
  };
}

function without(roster: Roster, ids: readonly string[]): Roster {
  return {
    ...roster,
    participants: roster.participants.filter((one) => !ids.includes(one.id)),
    missing: roster.missing.filter((id) => !ids.includes(id)),
  };
}
