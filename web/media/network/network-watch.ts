import type { MediaState } from '#domain/calls/participant.ts';
import type { MonitoredConnection } from '../monitored-connection.ts';
import { type Counters, readConnection } from './connection-stats.ts';
import type { MeetingConnections } from './meeting-connections.ts';
import type { ConnectionQuality, Network, NetworkState, OwnNetwork } from './network.ts';
import {
  beginRating,
  beginSending,
  nextRating,
  nextSending,
  type Rating,
  type Sending,
  type VideoLevel,
  videoLevels,
} from './network-level.ts';
import {
  type Arrival,
  beginArrival,
  isMissing,
  nextArrival,
  silentAfter,
} from './video-arrival.ts';

const everyMs = 1_000;

type Watched = {
  sending: Sending;
  rating: Rating;
  counters: Counters;
  quietFor: number;
  arrival: Arrival;
};

/** By the connection's key, since each new connection counts from zero. */
type Known = WeakMap<object, Watched>;

/** Judges every connection each second, reduces the video in favor of audio, and publishes the quality. */
export function watchNetwork(meeting: MeetingConnections, network: Network): () => void {
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

async function lookAtAll(
  meeting: MeetingConnections,
  network: Network,
  known: Known,
): Promise<void> {
  const connections = new Map<string, ConnectionQuality>();
  const all: Watched[] = [];
  const { participants } = meeting.getSnapshot().roster;
  for (const [id, connection] of meeting.monitored) {
    const media = participants.find((one) => one.id === id)?.media;
    if (media === undefined || !connection.wasConnected) continue;
    const watched = await lookAt(connection, known.get(connection.key), media);
    known.set(connection.key, watched);
    all.push(watched);
    connections.set(id, qualityOf(watched, media));
  }
  const found = { connections, own: ownOf(all) };
  if (!same(found, network.getSnapshot())) network.update(found);
}

const written = ({ connections, own }: NetworkState) => JSON.stringify([own, ...connections]);
const same = (one: NetworkState, other: NetworkState) => written(one) === written(other);

async function lookAt(
  connection: MonitoredConnection,
  before: Watched | undefined,
  media: MediaState,
): Promise<Watched> {
  const { sample, counters } = readConnection(await connection.stats(), before?.counters ?? null);
  // A connection that is reconnecting, or whose video is not shown, does not show what it could
  // carry.
  const known = before?.sending ?? { ...beginSending, level: connection.level };
  const sending =
    connection.connected && connection.sendsVideo ? nextSending(known, sample) : known;
  if (sending.level !== known.level) connection.sendVideo(sending.level);
  const nothingCame = before?.counters.arrived === counters.arrived;
  const quietFor = nothingCame ? before.quietFor + 1 : 0;
  return {
    sending,
    rating: nextRating(before?.rating ?? beginRating, sample),
    counters,
    quietFor,
    arrival: nextArrival(before?.arrival ?? beginArrival, {
      moves: before?.counters.frames !== counters.frames,
      quietFor,
      expected: media.video && connection.showsVideo,
    }),
  };
}

function qualityOf(watched: Watched, media: MediaState): ConnectionQuality {
  const { counters, quietFor, arrival, rating } = watched;
  const expected = counters.audioArrived > 0 && (media.audio || media.video);
  const silent = expected && quietFor >= silentAfter;
  return {
    quality: silent ? 'bad' : rating.quality,
    silent,
    videoMissing: media.video && isMissing(arrival),
  };
}

/** The quality of this page's network, which causes reduced video and loss on every connection. */
function ownOf(all: readonly Watched[]): OwnNetwork {
  const least = (level: VideoLevel) => videoLevels.indexOf(level);
  const worst = Math.max(0, ...all.map(({ sending }) => least(sending.level)));
  if (worst === least('paused')) return 'paused';
  if (worst > 0) return 'smaller';
  return all.length > 0 && all.every(({ rating }) => rating.quality === 'bad') ? 'lossy' : 'good';
}
