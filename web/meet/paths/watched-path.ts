import type { PictureLevel } from '../network/network-level.ts';

/** One way on which media go, as whoever judges it needs it. */
export type WatchedPath = {
  /** The same for as long as its counters go on; a path that was made anew has another. */
  readonly key: object;
  readonly connected: boolean;
  readonly wasConnected: boolean;
  /** The own picture goes out on it: somebody looks at it. */
  readonly sendsPicture: boolean;
  /** The other's picture is asked for. */
  readonly showsPicture: boolean;
  /** How much of the own picture it is given. */
  readonly picture: PictureLevel;
  /** The entries of a `getStats` report (W3C webrtc-stats). */
  stats(): Promise<Record<string, unknown>[]>;
  /** Sends that much of the own picture on it. */
  sendPicture(level: PictureLevel): void;
};
