import type { EgressInfo } from 'livekit-server-sdk';
import { type ParticipantId, participantId } from '#domain/ids.ts';
import { type EgressOutput, reportOf } from './livekit-egress.ts';
import { roomOf } from './livekit-room-name.ts';
import type { MediaEvent, PresenceEvent } from './media-server.ts';

const kinds: Record<string, PresenceEvent['kind']> = {
  participant_joined: 'joined',
  participant_left: 'left',
  participant_connection_aborted: 'left',
  room_finished: 'finished',
};

/** livekit.WebhookEvent, as livekit-server-sdk parses it. */
interface ToldEvent {
  id: string;
  event: string;
  room?: { name: string };
  participant?: { identity: string; disconnectReason: number };
  egressInfo?: EgressInfo;
}

/** livekit.DisconnectReason CLIENT_INITIATED: the page left on purpose. */
const saidGoodbye = 1;

/** Returns what an event of LiveKit means; null for one that is not used. */
export function eventOf(told: ToldEvent, output: EgressOutput | null): MediaEvent | null {
  const { id, event, egressInfo } = told;
  if (id === '') return null;
  if (egressInfo) {
    const room = roomOf(egressInfo.roomName);
    const report = output && reportOf(egressInfo, output);
    return room && report ? { id, kind: 'egress', room, report } : null;
  }
  const room = roomOf(told.room?.name ?? '');
  if (room && output && event === 'track_published') return { id, kind: 'published', room };
  const kind = kinds[event];
  if (!kind || !room) return null;
  const person = participantId.safeParse(told.participant?.identity);
  const who: ParticipantId | null = person.success ? person.data : null;
  if (kind !== 'finished' && who === null) return null;
  const lost = kind === 'left' && told.participant?.disconnectReason !== saidGoodbye;
  return { id, kind, room, participantId: who, lost };
}
