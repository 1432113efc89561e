import type { MediaRoomId, OrgId, ParticipantId, RoomId } from '#domain/ids.ts';

/**
 * A room on a media server: one stretch of the media of one of our rooms. Each stretch has an id of
 * its own, so that a room whose node died, or whose token somebody still holds, is left for good.
 */
export interface MediaRoom {
  orgId: OrgId;
  roomId: RoomId;
  id: MediaRoomId;
}

/** What a page connects with: for one person and one media room, good for a minute or two. */
export interface MediaPass {
  url: string;
  token: string;
}

/** What a media server has told us, after its signature was checked. */
export interface MediaEvent {
  /** Told twice, it is the same. */
  id: string;
  kind: 'joined' | 'left' | 'finished';
  room: MediaRoom;
  /** Null where the event is about the whole room. */
  participantId: ParticipantId | null;
  /** The page did not say goodbye. */
  lost: boolean;
}

/**
 * Carries sound and picture for our own meeting page, and nothing else: who is there, the lobby, the
 * chat and every order stay on our own socket.
 */
export interface MediaServer {
  readonly name: 'livekit';
  /** Least rights: this room alone, sound and pictures alone, no data, no orders. */
  pass(room: MediaRoom, participantId: ParticipantId): Promise<MediaPass>;
  /**
   * Makes one of these rooms, on whichever node answers first.
   * @throws VideoEngineError when none does
   */
  place(rooms: readonly MediaRoom[]): Promise<MediaRoom>;
  /** Whether the node of the room answers. */
  isAlive(room: MediaRoom): Promise<boolean>;
  /** Silences a microphone there. The page may turn it on again, as its person may. */
  mute(room: MediaRoom, participantId: ParticipantId): Promise<void>;
  remove(room: MediaRoom, participantId: ParticipantId): Promise<void>;
  /** Everybody out. */
  close(room: MediaRoom): Promise<void>;
  /** @returns null for an event that means nothing to us; @throws MediaEventRefused */
  readEvent(body: string, authorization: string | undefined): Promise<MediaEvent | null>;
}

/** Not signed by the media server, or not for this body, or too old. */
export class MediaEventRefused extends Error {
  constructor(options?: ErrorOptions) {
    super('This event does not come from the media server.', options);
    this.name = 'MediaEventRefused';
  }
}
