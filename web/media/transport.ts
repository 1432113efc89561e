import type { ToBrowser } from '#domain/calls/live.ts';
import type { Roster } from '#web/live/roster.ts';
import type { MonitoredConnection } from './monitored-connection.ts';
import type { PeerView } from './peer-view.ts';

export type Views = ReadonlyMap<string, PeerView>;

/**
 * Carries this page's tracks to the other participants, and theirs to this page. There are two: the
 * mesh (`mesh/mesh.ts`) and the SFU (`sfu/livekit-transport.ts`).
 */
export type Transport = {
  readonly views: Views;
  /**
   * By the participant at the other end. With an SFU, this participant's id names the outbound
   * connection.
   */
  readonly monitored: ReadonlyMap<string, MonitoredConnection>;
  /** Receives a message of the server, with the roster before and after it. */
  follow(message: ToBrowser, before: Roster, after: Roster): void;
  /** Closes the connections to participants who are no longer in the roster. */
  prune(roster: Roster): void;
  /** Sends the current tracks of this page in place of the previous ones. */
  putTracks(): void;
  closeAll(): void;
};

/** The media room that the server assigns to this page, and its access token. */
export type SfuAccess = Pick<
  Extract<ToBrowser, { type: 'media-server' }>,
  'room' | 'url' | 'token'
>;
