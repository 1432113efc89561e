import type { CallState, ToBrowser } from '#domain/calls/live.ts';
import type { WaitingGuest } from '#domain/calls/participant.ts';
import type { ConnectionStatus } from '#web/live/live-socket.ts';
import { emptyRoster, type Roster } from '#web/live/roster.ts';
import type { Reach } from '#web/media/network/reach.ts';
import type { Views } from '#web/media/transport.ts';
import type { Ending } from './ending.ts';
import type { MeetingEntry } from './read-entry.ts';

export type Wait = Extract<ToBrowser, { type: 'waiting' }>;

/** The state of a meeting that the page shows. */
export type MeetingState = {
  phase: 'preview' | 'meeting' | 'over';
  ending: Ending | null;
  connection: ConnectionStatus;
  roster: Roster;
  views: Views;
  room: { topic: string } | null;
  organization: { name: string; brandColor: string; logoUrl: string | null } | null;
  call: CallState | null;
  /** When this participant's hand was raised, ISO 8601. */
  hand: string | null;
  /** May mute others, remove guests and lock the call. */
  isHost: boolean;
  /** The name of the host who has muted this page's microphone. */
  mutedBy: string | null;
  /** This guest's wait in the lobby. */
  wait: Wait | null;
  /** Guests in the lobby, as far as this participant may admit them. */
  guests: readonly WaitingGuest[];
  /** How many guests wait besides those in `guests`. */
  hiddenGuests: number;
  /** Null until the server has named its ICE servers. */
  reach: Reach | null;
};

/** The state before the first message of the server. A guest's page knows the room already. */
export function initialState(entry: MeetingEntry): MeetingState {
  const guest = entry.kind === 'guest' ? entry : null;
  return {
    phase: 'preview',
    ending: null,
    connection: 'connecting',
    roster: emptyRoster,
    views: new Map(),
    room: guest?.room ?? null,
    organization: guest?.organization ?? null,
    call: null,
    hand: null,
    isHost: false,
    mutedBy: null,
    wait: null,
    guests: [],
    hiddenGuests: 0,
    reach: null,
  };
}

const noGuests = { guests: [], hiddenGuests: 0 };

/** Returns the changes of the state, except the roster, that a message of the server causes. */
export function changedBy(message: ToBrowser): Partial<MeetingState> {
  switch (message.type) {
    case 'welcome': {
      const { room, organization, call, mayEdit: isHost, resumed } = message;
      // After a welcome that starts a session, the server sends hosts the list of waiting guests.
      return { room, organization, call, isHost, wait: null, ...(!resumed && noGuests) };
    }
    case 'call-started':
    case 'call-changed':
      return { call: message.call };
    case 'waiting':
      return { wait: message };
    case 'lobby':
      return { guests: message.guests, hiddenGuests: message.hidden ?? 0 };
    case 'rights':
      // Only hosts see the lobby. The server sends the list to a new host next.
      return { isHost: message.mayEdit, ...(!message.mayEdit && noGuests) };
    case 'muted':
      return { mutedBy: message.by };
    default:
      return {};
  }
}
