import type { OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import type { HostedRecorder } from './hosted-recorder.ts';
import type { HostedRoom, RequestTurn } from './hosted-room.ts';
import type { MediaServer } from './media-server.ts';

/** A person who is about to join the call of a room. */
export interface Visit {
  orgId: OrgId;
  roomId: RoomId;
  participantId: ParticipantId;
  kind: 'staff' | 'guest';
  /** May mute, remove, and admit participants. */
  isHost: boolean;
  /** A guest of a room with a lobby. A hosted page has its own lobby. */
  mustKnock: boolean;
  /** Null for guests, who enter theirs on the page. */
  name: string | null;
  /** The public URL of this installation, without a trailing slash. */
  publicUrl: string;
  /** When the token of a hosted page stops to admit. Rights that end before then are looked up again. */
  expiresAt: Date;
  /** The meeting token for this person and this room, for our WebSocket and our meeting page. */
  meetingToken: string;
}

/** The URL of a call's page, and the token for it: one person, one room, short-lived. */
export interface Entrance {
  dailyUrl: string;
  meetingToken: string;
  /** The meeting token for the WebSocket beside the call, if `meetingToken` is a provider's. */
  panelToken?: string;
}

/** How many requests a provider accepts, from all organizations together. */
export type HostedRates = Record<
  'opening' | 'ejection' | 'recording',
  { burst: number; perSecond: number }
>;

/** The operations of a provider whose own page is in the call's frame. */
export interface HostedPage {
  rates: HostedRates;
  /** Most participants of one `remove`. */
  mostEjected: number;
  /**
   * Ejects participants from its call. With `ban` they cannot return.
   * @throws VideoEngineError
   */
  remove(room: HostedRoom, people: ParticipantId[], ban: boolean, turn: RequestTurn): Promise<void>;
  /** Null unless the operator has the provider record calls. */
  recorder: HostedRecorder | null;
}

/**
 * The engine of the calls (`VIDEO_PROVIDER`). Our own meeting page uses the meeting token. A
 * provider whose page is framed instead creates its room if necessary, and returns a token of its
 * own. Room names sent to a provider contain the organization's id, so that tenants never share a
 * room.
 */
export interface VideoEngine {
  readonly name: 'builtin' | 'livekit' | 'daily' | 'mock';
  /**
   * How it becomes known who has joined: by our own page's WebSocket, by the provider's webhook for guests (staff
   * then join by opening the call), or not at all.
   */
  readonly joins: 'page' | 'webhook' | 'unknown';
  /** Null if the page in the frame is our own. */
  readonly page: HostedPage | null;
  /**
   * The server for the media of our own page: from the first participant on with `livekit`, and
   * once the mesh is full with `builtin`. Null if there is none, or the page is not ours.
   */
  readonly mediaServer: MediaServer | null;
  /** @throws VideoEngineError */
  admit(visit: Visit, turn: RequestTurn): Promise<Entrance>;
}

/** The provider of the calls failed. A later retry may succeed. */
export class VideoEngineError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VideoEngineError';
  }
}
