import type { VideoLevel } from './network/network-level.ts';

/** The data that the network watch needs about a connection that carries media. */
export type MonitoredConnection = {
  /**
   * Stays the same while the counters of `stats` continue; a connection that replaces another has a
   * new key.
   */
  readonly key: object;
  readonly connected: boolean;
  readonly wasConnected: boolean;
  /** This page sends its camera video on it, because the other page shows it. */
  readonly sendsVideo: boolean;
  /** This page asks for the other participant's camera video. */
  readonly showsVideo: boolean;
  /** How much of this page's camera video is sent on it. */
  readonly level: VideoLevel;
  /** The entries of a `getStats` report (W3C webrtc-stats). */
  stats(): Promise<Record<string, unknown>[]>;
  /** Changes how much of this page's camera video is sent on it. */
  sendVideo(level: VideoLevel): void;
};
