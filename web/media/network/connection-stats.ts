import type { ConnectionSample } from './network-level.ts';

/** Counts since the connection began; the difference of two is what happened in between. */
export type Counters = {
  arrived: number;
  lost: number;
  audioArrived: number;
  /** Decoded video frames: retransmitted packets keep arriving when no frame can be decoded. */
  frames: number;
};

type Entry = Record<string, unknown>;
/** Reports of the other side arrive each second or less often: each counts once or twice. */
const freshMs = 1_500;

/** Reads a sample from `getStats` (W3C webrtc-stats), and the counters that the next one needs. */
export function readConnection(
  entries: readonly Entry[],
  before: Counters | null,
): { sample: ConnectionSample; counters: Counters } {
  const counters = countersOf(entries);
  const arrived = counters.arrived - (before?.arrived ?? counters.arrived);
  const lost = Math.max(0, counters.lost - (before?.lost ?? 0));
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
  const counters = { arrived: 0, lost: 0, audioArrived: 0, frames: 0 };
  for (const { type, kind, packetsReceived, packetsLost, framesDecoded } of entries) {
    if (type !== 'inbound-rtp') continue;
    const arrived = number(packetsReceived) ?? 0;
    counters.arrived += arrived;
    counters.lost += number(packetsLost) ?? 0;
    if (kind === 'audio') counters.audioArrived += arrived;
    else counters.frames += number(framesDecoded) ?? arrived;
  }
  return counters;
}

/** The worst loss that the other side reports; null without a recent report. */
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
  // Firefox marks the selected pair instead.
  return (
    named ?? entries.find(({ type, selected }) => type === 'candidate-pair' && selected === true)
  );
}

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
