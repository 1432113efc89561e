import { WritableStore } from '../store.ts';
import type { Quality } from './network-level.ts';

/** How the path to one other person is. */
export type Path = {
  quality: Quality;
  /** Nothing comes any more, though they are on. */
  silent: boolean;
  /** Their voice comes, their picture does not. */
  pictureMissing: boolean;
};

/** What there is to say about the own network: the picture yields, or words get lost. */
export type OwnNetwork = 'good' | 'smaller' | 'paused' | 'lossy';

export type NetworkState = { paths: ReadonlyMap<string, Path>; own: OwnNetwork };

/** What `network-watch.ts` finds out, for the page to show. */
export class Network extends WritableStore<NetworkState> {
  constructor() {
    super({ paths: new Map(), own: 'good' });
  }
}

export const ownQuality = (own: OwnNetwork): Quality =>
  own === 'good' ? 'good' : own === 'smaller' ? 'weak' : 'bad';
