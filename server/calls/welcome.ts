import { type Participant, protocolVersion, type Welcome } from '#domain/calls/live.ts';
import { mintMeetingToken, resumeTokenSeconds } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { iceServers } from './ice-servers.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import type { LocalRoom } from './local-room.ts';

interface Greeted {
  person: Person;
  room: LocalRoom;
  session: LiveSession;
  /** The last message that the page has seen of a session that it takes up again, else null. */
  resumedAfter: number | null;
  others: Participant[];
}

/** What a hello is answered with: who and what is there, and the token to come back with. */
export async function makeWelcome(
  { config, secrets, video }: Services,
  { person, room, session, resumedAfter, others }: Greeted,
): Promise<Welcome> {
  const { claims, room: named, organization, mayEdit } = person.admitted;
  const returning = claims.kind === 'guest' ? { ...claims, admitted: true } : claims;
  const token = await mintMeetingToken(secrets, returning, resumeTokenSeconds);
  return {
    type: 'welcome',
    protocol: protocolVersion,
    session: session.id,
    sequence: resumedAfter ?? 0,
    resumed: resumedAfter !== null,
    self: person.participant.id,
    mayEdit,
    participants: [...others, { ...person.participant }],
    room: named,
    organization,
    call: room.call,
    iceServers: iceServers(config, person.participant.id),
    ...((room.mediaRoom || video.name === 'livekit') && { byServer: true }),
    token,
  };
}
