import type { PathSample } from './network-level.ts';

/** What is counted from a connection's beginning; the difference of two is what went on between. */
export type Counters = {
  arrived: number;
  lostOnTheWay: number;
  audioArrived: number;
  /** Decoded, since packets that were lost and sent again go on coming when no picture does. */
  pictures: number;
};

type Entry = Record<string, unknown>;
/** Reports of the other side come each second or less often: each counts for one look, or two. */
const freshMs = 1_500;

/** Reads a sample from `getStats` (W3C webrtc-stats), and the counters that the next one needs. */
export function readPath(
  entries: readonly Entry[],
  before: Counters | null,
): { sample: PathSample; counters: Counters } {
  const counters = countersOf(entries);
  const arrived = counters.arrived - (before?.arrived ?? counters.arrived);
  const lost = Math.max(0, counters.lostOnTheWay - (before?.lostOnTheWay ?? 0));
  const pair = selectedPair(entries);
  const trip = number(pair?.currentRoundTripTime);
  return {
    counters,
    sample: {
      lossIn: before !== null && arrived + lost > 0 ? lost / (arrived + lost) : 0,
      lossOut: lossReported(entries),
      roundTripMs: trip === null ? null : trip * 1_000,
      availableBitrate: number(pair?.availableOutgoingBitrate),
      starved: entries.some(
        ({ type, kind, active, qualityLimitationReason }) =>
          type === 'outbound-rtp' &&
          kind === 'video' &&
          active !== false &&
          qualityLimitationReason === 'bandwidth',
      ),
    },
  };
}

function countersOf(entries: readonly Entry[]): Counters {
  const counters = { arrived: 0, lostOnTheWay: 0, audioArrived: 0, pictures: 0 };
  for (const { type, kind, packetsReceived, packetsLost, framesDecoded } of entries) {
    if (type !== 'inbound-rtp') continue;
    const arrived = number(packetsReceived) ?? 0;
    counters.arrived += arrived;
    counters.lostOnTheWay += number(packetsLost) ?? 0;
    if (kind === 'audio') counters.audioArrived += arrived;
    else counters.pictures += number(framesDecoded) ?? arrived;
  }
  return counters;
}

/** The worst that the other side reports of what it was sent; null where it says nothing now. */
function lossReported(entries: readonly Entry[]): number | null {
  const newest = Math.max(0, ...entries.map(({ timestamp }) => number(timestamp) ?? 0));
  const reported = entries.filter(
    ({ type, timestamp }) =>
      type === 'remote-inbound-rtp' && newest - (number(timestamp) ?? 0) < freshMs,
  );
  const losses = reported.flatMap(({ fractionLost }) => number(fractionLost) ?? []);
  return losses.length === 0 ? null : Math.max(...losses);
}

function selectedPair(entries: readonly Entry[]): Entry | undefined {
  const transport = entries.find(({ type }) => type === 'transport');
  const named = entries.find(
    ({ id }) => id !== undefined && id === transport?.selectedCandidatePairId,
  );
  // Firefox marks the pair itself.
  return (
    named ?? entries.find(({ type, selected }) => type === 'candidate-pair' && selected === true)
  );
}

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
