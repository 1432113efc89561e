import { WritableStore } from '#web/live/store.ts';
import type { Quality } from './network-level.ts';

/** The quality of the connection to one other participant. */
export type ConnectionQuality = {
  quality: Quality;
  /** No packets arrive, though the participant is connected. */
  silent: boolean;
  /** Audio arrives, video does not. */
  videoMissing: boolean;
};

/** The quality of this page's network: the video is reduced, or packets are lost. */
export type OwnNetwork = 'good' | 'smaller' | 'paused' | 'lossy';

export type NetworkState = { connections: ReadonlyMap<string, ConnectionQuality>; own: OwnNetwork };

/** The results of `network-watch.ts`, for the page to show. */
export class Network extends WritableStore<NetworkState> {
  constructor() {
    super({ connections: new Map(), own: 'good' });
  }
}

export const ownQuality = (own: OwnNetwork): Quality =>
  own === 'good' ? 'good' : own === 'smaller' ? 'weak' : 'bad';
