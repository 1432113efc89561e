import { closeCodes } from '#domain/calls/close-codes.ts';
import type { Channel, MediaState, Participant } from '#domain/calls/participant.ts';
import { NotAdmitted } from './admit-participant.ts';
import type { LiveMedia } from './live-media.ts';
import type { Person } from './live-person.ts';
import type { LiveRoster } from './live-roster.ts';
import type { LocalRoom } from './local-room.ts';

/**
 * Puts a participant into the roster, and into the meeting if the hello of a meeting page has media.
 * @returns the other participants of the room, on any process
 * @throws NotAdmitted when the participant joins a full mesh
 */
export async function takePlace(
  { roster, media: transports }: { roster: LiveRoster; media: LiveMedia },
  person: Person,
  room: LocalRoom,
  { channel, media }: { channel: Channel; media: MediaState | undefined },
): Promise<Participant[]> {
  const { participant, admitted } = person;
  const entering = channel === 'meeting' && media !== undefined && !participant.inMeeting;
  if (channel === 'meeting' && media) participant.media = media;
  if (entering) participant.inMeeting = true;
  participant.connected = true;
  participant.name = admitted.name;
  const { consent } = admitted.captures;
  if (consent) participant.consent = consent;
  const others = await roster.put(person, channel);
  if (!entering || (await transports.hasWay(person, room, others))) return others;
  participant.inMeeting = false;
  throw new NotAdmitted(closeCodes.roomFull, 'room full');
}
