import type { ParticipantId } from '#domain/ids.ts';
import type { MediaRoom } from './media-room.ts';
import type { EgressReport, TrackRecorder } from './track-recorder.ts';

/** A page's access to one media room for one person, valid for a minute or two. */
export interface MediaPass {
  url: string;
  token: string;
}

/** Who came or went, after its signature was verified. */
export interface PresenceEvent {
  /** The same for repeated deliveries. */
  id: string;
  kind: 'joined' | 'left' | 'finished';
  room: MediaRoom;
  /** Null if the event concerns the whole room. */
  participantId: ParticipantId | null;
  /** The page did not leave on purpose. */
  lost: boolean;
}

/** An event of the media server, after its signature was verified. */
export type MediaEvent =
  | PresenceEvent
  /** Somebody sends a track that can be recorded. Only with a recorder, like the next. */
  | { id: string; kind: 'published'; room: MediaRoom }
  | { id: string; kind: 'egress'; room: MediaRoom; report: EgressReport };

/**
 * Carries audio and video for our own meeting page, and nothing else: the roster, the lobby, the
 * chat and all host messages use our own WebSocket.
 */
export interface MediaServer {
  readonly name: 'livekit';
  /** Null where the pages record themselves. */
  readonly recorder: TrackRecorder | null;
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
