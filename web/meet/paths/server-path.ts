import type { Roster } from '../roster.ts';
import type { MediaPass, MediaPath } from './media-path.ts';
import type { Tracks } from './webrtc.ts';

/** The way through a room of a media server. */
export type ServerPath = MediaPath & {
  readonly room: string;
  /** Media flow, or are on their way. */
  readonly isWell: boolean;
  readonly isConnected: boolean;
  hasArrived(id: string): boolean;
  /** Another path takes over: what befalls this one is nobody's concern any more. */
  retire(): void;
};

export type ServerPathOptions = {
  pass: MediaPass;
  tracks: () => Tracks;
  roster: () => Roster;
  onViews: () => void;
  /** No media come from the room. Said again while that is so. */
  onLost: (room: string) => void;
};

export type MakeServerPath = (options: ServerPathOptions) => ServerPath;
