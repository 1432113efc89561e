import { expect, test } from 'vitest';
import { readConnection } from './connection-stats.ts';

const report = (arrived: number, lost: number, now = 10_000) => [
  { type: 'transport', id: 'T', selectedCandidatePairId: 'P', timestamp: now },
  {
    type: 'candidate-pair',
    id: 'P',
    timestamp: now,
    currentRoundTripTime: 0.12,
    availableOutgoingBitrate: 250_000,
  },
  { type: 'inbound-rtp', kind: 'audio', id: 'IA', packetsReceived: arrived, packetsLost: lost },
  {
    type: 'inbound-rtp',
    kind: 'video',
    id: 'IV',
    packetsReceived: 10,
    packetsLost: 0,
    framesDecoded: 4,
  },
  { type: 'outbound-rtp', kind: 'video', id: 'OV', qualityLimitationReason: 'bandwidth' },
  { type: 'remote-inbound-rtp', kind: 'audio', id: 'RA', timestamp: 9_000, fractionLost: 0.2 },
  { type: 'remote-inbound-rtp', kind: 'video', id: 'RV', timestamp: 1_000, fractionLost: 0.9 },
];

test('reads the selected candidate pair, and the counts since the previous sample', () => {
  const { counters } = readConnection(report(100, 5), null);
  expect(counters).toEqual({ arrived: 110, lost: 5, audioArrived: 100, frames: 4 });
  const { sample } = readConnection(report(190, 15), counters);
  expect(sample).toEqual({
    lossIn: 0.1,
    lossOut: 0.2,
    roundTripMs: 120,
    availableBitrate: 250_000,
    starved: true,
  });
});

test('the first sample has no loss, and an old report is ignored', () => {
  const { sample } = readConnection(report(100, 50, 60_000), null);
  expect(sample.lossIn).toBe(0);
  expect(sample.lossOut).toBe(null);
});

test('a paused video is not starved, and missing stats have defaults', () => {
  const paused = [
    { type: 'outbound-rtp', kind: 'video', active: false, qualityLimitationReason: 'bandwidth' },
  ];
  expect(readConnection(paused, null).sample.starved).toBe(false);
  expect(readConnection([], null).sample).toEqual({
    lossIn: 0,
    lossOut: null,
    roundTripMs: null,
    availableBitrate: null,
    starved: false,
  });
  const firefox = [{ type: 'candidate-pair', id: 'P', selected: true, currentRoundTripTime: 0.05 }];
  expect(readConnection(firefox, null).sample.roundTripMs).toBe(50);
});
