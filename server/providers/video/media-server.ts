import type { MediaRoomId, OrgId, ParticipantId, RoomId } from '#domain/ids.ts';

/**
 * A room on a media server: one period of the media of one of our rooms. Each period has its own
 * id, so that a room whose node died, or to which a removed participant still has an access token,
 * is never used again.
 */
export interface MediaRoom {
  orgId: OrgId;
  roomId: RoomId;
  id: MediaRoomId;
}

/** A page's access to one media room for one person, valid for a minute or two. */
export interface MediaPass {
  url: string;
  token: string;
}

/** An event of the media server, after its signature was verified. */
export interface MediaEvent {
  /** The same for repeated deliveries. */
  id: string;
  kind: 'joined' | 'left' | 'finished';
  room: MediaRoom;
  /** Null if the event concerns the whole room. */
  participantId: ParticipantId | null;
  /** The page did not leave on purpose. */
  lost: boolean;
}

/**
 * Carries audio and video for our own meeting page, and nothing else: the roster, the lobby, the
 * chat and all host messages use our own WebSocket.
 */
export interface MediaServer {
  readonly name: 'livekit';
  /** Returns least privileges: only this room, only audio and video, no data and no admin rights. */
  pass(room: MediaRoom, participantId: ParticipantId): Promise<MediaPass>;
  /**
   * Creates one of these rooms, on the node that answers first.
   * @throws VideoEngineError when none does
   */
  place(rooms: readonly MediaRoom[]): Promise<MediaRoom>;
  /** Returns whether the node of the room answers. */
  isAlive(room: MediaRoom): Promise<boolean>;
  /** Mutes a microphone on the server. The page can unmute it again, as its person may. */
  mute(room: MediaRoom, participantId: ParticipantId): Promise<void>;
  remove(room: MediaRoom, participantId: ParticipantId): Promise<void>;
  /** Disconnects all participants. */
  close(room: MediaRoom): Promise<void>;
  /**
   * Returns whether the media server signed this authorization for an event, which `readEvent`
   * compares with the body.
   */
  mayCarryEvent(authorization: string | undefined): Promise<boolean>;
  /**
   * @returns null for an event that is not used
   * @throws MediaEventRefused
   */
  readEvent(body: string, authorization: string | undefined): Promise<MediaEvent | null>;
}

/** The event was not signed by the media server, not for this body, or is too old. */
export class MediaEventRefused extends Error {
  constructor(options?: ErrorOptions) {
    super('This event does not come from the media server.', options);
    this.name = 'MediaEventRefused';
  }
}
