import type { CallState } from '#domain/calls/call-state.ts';
import type { ToBrowser } from '#domain/calls/live.ts';
import type { WaitingGuest } from '#domain/calls/participant.ts';
import type { CaptureKind } from '#domain/consent/capture.ts';
import type { ConsentState } from '#domain/consent/live.ts';
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
  /** What is captured of the call, as the server has confirmed it. */
  captures: Captures | null;
  /** What hosts may start to capture. */
  capturable: readonly CaptureKind[];
  /** What this participant is asked about before joining. */
  asks: readonly CaptureKind[];
  /** The media server records who has agreed, so this page does not. */
  isRecordedByServer: boolean;
  /** It fails to record this participant. */
  isServerFailing: boolean;
  /** Authorizes this participant's requests besides the socket. */
  token: string | null;
};
export type Captures = Pick<Extract<ToBrowser, { type: 'captures' }>, 'changedAt' | 'running'>;

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
    captures: null,
    capturable: [],
    asks: [],
    isRecordedByServer: false,
    isServerFailing: false,
    token: null,
  };
}

/** This participant's own newest answer about each kind. */
export const ownConsent = ({ roster, wait }: MeetingState): ConsentState | undefined =>
  wait ? wait.consent : roster.participants.find(({ id }) => id === roster.self)?.consent;

const noGuests = { guests: [], hiddenGuests: 0 };

/** Returns the changes of the state, except the roster, that a message of the server causes. */
export function changedBy(message: ToBrowser): Partial<MeetingState> {
  switch (message.type) {
    case 'welcome': {
      const { room, organization, call, mayEdit: isHost, resumed, token } = message;
      const { captures = null, capturable = [], asks = [] } = message;
      const isRecordedByServer = message.recordedByServer === true;
      const capturing = { captures, capturable, asks, isRecordedByServer, token };
      // After a welcome that starts a session, the server sends hosts the list of waiting guests.
      const lobby = { wait: null, ...(!resumed && noGuests) };
      return { room, organization, call, isHost, ...capturing, ...lobby };
    }
    case 'call-started':
      return { call: message.call, captures: null };
    case 'call-changed':
      return { call: message.call };
    case 'captures':
      return { captures: message };
    case 'server-recording':
      return { isServerFailing: message.isFailing };
    case 'waiting':
      return { wait: message, asks: message.asks ?? [] };
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

/** Returns what this participant has to answer before joining. */
export function unansweredBeforeJoining(state: MeetingState): CaptureKind[] {
  const asked = ownConsent(state)?.asked ?? [];
  const running = state.captures?.running.map(({ kind }) => kind) ?? [];
  return [...new Set([...state.asks, ...running])].filter((kind) => !asked.includes(kind));
}
