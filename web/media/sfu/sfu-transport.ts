import type { Roster } from '#web/live/roster.ts';
import type { SfuAccess, Transport } from '../transport.ts';
import type { Tracks } from '../webrtc.ts';

/** A room of an SFU. */
export type SfuTransport = Transport & {
  readonly room: string;
  /** Media flow, or the connection is being made. */
  readonly isWell: boolean;
  readonly isConnected: boolean;
  hasArrived(id: string): boolean;
  /** Another transport takes over: from now on this one reports no failure. */
  retire(): void;
};

export type SfuTransportOptions = {
  access: SfuAccess;
  tracks: () => Tracks;
  roster: () => Roster;
  onViews: () => void;
  /** No media arrive from the room. Called repeatedly while that lasts. */
  onLost: (room: string) => void;
};

export type MakeSfuTransport = (options: SfuTransportOptions) => SfuTransport;
