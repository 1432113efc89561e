import type { ToBrowser } from '#domain/calls/live.ts';
import type { Roster } from '../roster.ts';
import type { PeerView } from './peer-view.ts';
import type { WatchedPath } from './watched-path.ts';

export type Views = ReadonlyMap<string, PeerView>;

/**
 * An engine, as the meeting sees it: carries the own tracks to the others and theirs here. The mesh
 * (`mesh.ts`) is one, the way through a media server (`livekit/`) is another.
 */
export type MediaPath = {
  readonly views: Views;
  /** By the participant at the other end; the own id names the way out, where that is one for all. */
  readonly watched: ReadonlyMap<string, WatchedPath>;
  /** Takes a message of the server, with the roster before and after it. */
  follow(message: ToBrowser, before: Roster, after: Roster): void;
  /** Lets go of those who are no longer there. */
  prune(roster: Roster): void;
  /** The own tracks have changed. */
  putTracks(): void;
  closeAll(): void;
};

/** Where the server says that the media go. */
export type MediaPass = Pick<
  Extract<ToBrowser, { type: 'media-server' }>,
  'room' | 'url' | 'token'
>;
