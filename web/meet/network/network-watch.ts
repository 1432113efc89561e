import type { MediaState } from '#domain/calls/live.ts';
import type { Meeting } from '../meeting.ts';
import type { WatchedPath } from '../paths/watched-path.ts';
import type { Network, NetworkState, OwnNetwork, Path } from './network.ts';
import {
  beginRating,
  beginSending,
  nextRating,
  nextSending,
  type PictureLevel,
  pictureLevels,
  type Rating,
  type Sending,
} from './network-level.ts';
import { type Counters, readPath } from './path-stats.ts';
import {
  type Arrival,
  beginArrival,
  isMissing,
  nextArrival,
  silentAfter,
} from './picture-arrival.ts';

const everyMs = 1_000;

type Watched = {
  sending: Sending;
  rating: Rating;
  counters: Counters;
  quietFor: number;
  arrival: Arrival;
};

/** By the path's key, since each replaced connection counts from zero. */
type Known = WeakMap<object, Watched>;

/** Looks at every path each second, lets the picture yield to the voice, and says how it goes. */
export function watchNetwork(meeting: Meeting, network: Network): () => void {
  const known: Known = new WeakMap();
  let busy = false;
  const look = async () => {
    if (busy) return;
    busy = true;
    try {
      await lookAtAll(meeting, network, known);
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => clearInterval(timer);
}

async function lookAtAll(meeting: Meeting, network: Network, known: Known): Promise<void> {
  const paths = new Map<string, Path>();
  const all: Watched[] = [];
  const { participants } = meeting.getSnapshot().roster;
  for (const [id, path] of meeting.watched) {
    const media = participants.find((one) => one.id === id)?.media;
    if (media === undefined || !path.wasConnected) continue;
    const watched = await lookAt(path, known.get(path.key), media);
    known.set(path.key, watched);
    all.push(watched);
    paths.set(id, pathOf(watched, media));
  }
  const found = { paths, own: ownOf(all) };
  if (!same(found, network.getSnapshot())) network.update(found);
}

const told = ({ paths, own }: NetworkState) => JSON.stringify([own, ...paths]);
const same = (one: NetworkState, other: NetworkState) => told(one) === told(other);

async function lookAt(
  path: WatchedPath,
  before: Watched | undefined,
  media: MediaState,
): Promise<Watched> {
  const { sample, counters } = readPath(await path.stats(), before?.counters ?? null);
  // A path that is being sought anew, or carries no picture for nobody looks, says nothing on what it will carry.
  const known = before?.sending ?? { ...beginSending, level: path.picture };
  const sending = path.connected && path.sendsPicture ? nextSending(known, sample) : known;
  if (sending.level !== known.level) path.sendPicture(sending.level);
  const nothingCame = before?.counters.arrived === counters.arrived;
  const quietFor = nothingCame ? before.quietFor + 1 : 0;
  return {
    sending,
    rating: nextRating(before?.rating ?? beginRating, sample),
    counters,
    quietFor,
    arrival: nextArrival(before?.arrival ?? beginArrival, {
      moves: before?.counters.pictures !== counters.pictures,
      quietFor,
      expected: media.video && path.showsPicture,
    }),
  };
}

function pathOf(watched: Watched, media: MediaState): Path {
  const { counters, quietFor, arrival, rating } = watched;
  const expected = counters.audioArrived > 0 && (media.audio || media.video);
  const silent = expected && quietFor >= silentAfter;
  return {
    quality: silent ? 'bad' : rating.quality,
    silent,
    pictureMissing: media.video && isMissing(arrival),
  };
}

/** The own network is to blame for what yields, and for what gets lost on every path. */
function ownOf(all: readonly Watched[]): OwnNetwork {
  const least = (level: PictureLevel) => pictureLevels.indexOf(level);
  const worst = Math.max(0, ...all.map(({ sending }) => least(sending.level)));
  if (worst === least('paused')) return 'paused';
  if (worst > 0) return 'smaller';
  return all.length > 0 && all.every(({ rating }) => rating.quality === 'bad') ? 'lossy' : 'good';
}
