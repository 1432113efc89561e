import type { OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import type { MediaServer } from './media-server.ts';

/** Somebody who is about to join the call of a room. */
export interface Visit {
  orgId: OrgId;
  roomId: RoomId;
  participantId: ParticipantId;
  kind: 'staff' | 'guest';
  /** Runs the call: mutes, removes, lets people in. */
  isHost: boolean;
  /** A guest of a room with a lobby. Where the page is hosted, so is the lobby. */
  mustKnock: boolean;
  /** Guests say theirs on the page. */
  name: string | null;
  /** Where people reach this installation, without a slash at its end. */
  publicUrl: string;
  /** Our own token for this person and this room: what our socket and our meeting page ask for. */
  meetingToken: string;
}

/** The address that a call is loaded from, and the token for it: one person, one room, short-lived. */
export interface Entrance {
  dailyUrl: string;
  meetingToken: string;
  /** Our own token for the line beside the call, where `meetingToken` is a provider's. */
  panelToken?: string;
}

/** A room of ours, as a hosted provider has it. */
export type HostedRoom = Pick<Visit, 'orgId' | 'roomId'>;

/** What we may ask of a provider whose own page is in the call's frame. */
export interface HostedPage {
  /** Sends people out of its call. With `ban` they do not come back into it. @throws VideoEngineError */
  remove(room: HostedRoom, people: ParticipantId[], ban: boolean): Promise<void>;
}

/**
 * Whoever carries the calls (`VIDEO_PROVIDER`). Our own meeting page takes our token; a provider whose
 * page is framed instead makes its room where there is none yet, and answers a token of its own.
 * Room names that leave this program hold the organization's id, so that tenants never meet.
 */
export interface VideoEngine {
  readonly name: 'builtin' | 'livekit' | 'daily' | 'mock';
  /** Null where the page in the frame is our own. */
  readonly page: HostedPage | null;
  /**
   * What carries the media of our own page: from the first person on with `livekit`, and once the mesh
   * is full with `builtin`. Null where there is none, or the page is not ours.
   */
  readonly mediaServer: MediaServer | null;
  /** @throws VideoEngineError */
  admit(visit: Visit): Promise<Entrance>;
}

/** The provider that carries the calls could not do it. Tried again later it may. */
export class VideoEngineError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VideoEngineError';
  }
}
