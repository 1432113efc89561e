import type { Meeting } from '../meeting.ts';
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

/** Judging a path takes its first seconds, and joining is not to wait for the file that does it. */
const watchAfterMs = 4_000;
/** A line on which a file of 2 KB takes longer than this has no room for the own picture. */
const mostLoadMs = 2_500;

export function watchSoon(meeting: Meeting, network: Network): void {
  setTimeout(async () => {
    const holding = setInterval(() => holdPicture(meeting), mostLoadMs);
    try {
      const { watchNetwork } = await import('./network-watch.ts');
      const { watchPictures } = await import('./watch-pictures.ts');
      watchNetwork(meeting, network);
      watchPictures(meeting, network);
    } catch {
      // Not now: the network is what is bad. Without the file the call goes on.
      watchSoon(meeting, network);
    } finally {
      clearInterval(holding);
    }
  }, watchAfterMs);
}

/** Until there is what judges the paths; that begins with what they are given here. Also of whoever comes. */
function holdPicture(meeting: Meeting): void {
  for (const path of meeting.watched.values()) path.sendPicture('paused');
}

export const ownQuality = (own: OwnNetwork): Quality =>
  own === 'good' ? 'good' : own === 'smaller' ? 'weak' : 'bad';
