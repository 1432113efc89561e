import type { ToServer, Welcome } from '#domain/calls/live.ts';
import { protocolVersion } from '#domain/calls/live-limits.ts';
import type { Participant } from '#domain/calls/participant.ts';
import { shownInWelcome } from '#server/consent/admitted-captures.ts';
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
  /** The last message that the page received of a session that it resumes, else null. */
  resumedAfter: number | null;
  others: Participant[];
  hello: Extract<ToServer, { type: 'hello' }>;
}

/** Returns the answer to a hello: the room's state, and the token for resuming. */
export async function makeWelcome(
  { config, secrets, video }: Services,
  greeted: Greeted,
): Promise<Welcome> {
  const { person, room, session, resumedAfter, others } = greeted;
  const { claims, room: named, organization, mayEdit } = person.admitted;
  const returning =
    claims.kind === 'guest' && room.call ? { ...claims, callId: room.call.id } : claims;
  const token = await mintMeetingToken(secrets, returning, resumeTokenSeconds);
  const byServer = room.mediaRoom !== null || video.name === 'livekit';
  const servers = iceServers(config, person.participant.id);
  // An offer made in advance contains no candidates of ICE servers.
  const offered = byServer || servers.length > 0 ? null : whoIsOffered(greeted);
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
    ...shownInWelcome(person.admitted.captures, room.captures, room.call?.id ?? null),
    iceServers: servers,
    ...(offered && { offered }),
    ...(byServer && { byServer }),
    ...(video.mediaServer?.recorder && { recordedByServer: true }),
    token,
  };
}

/** The offer is for one participant. Where there are several, the page makes one for each. */
function whoIsOffered({ hello, resumedAfter, others }: Greeted): string | null {
  if (!hello.offer || !hello.media || hello.channel !== 'meeting' || resumedAfter !== null)
    return null;
  const [other, another] = others.filter(({ inMeeting, connected }) => inMeeting && connected);
  return other && !another ? other.id : null;
}
