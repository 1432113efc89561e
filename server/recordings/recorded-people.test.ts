import { expect, test } from 'vitest';
import type { ParticipantId, RecordedTrackId } from '#domain/ids.ts';
import type { RecordedFile } from '#domain/recordings/contract.ts';
import { type RecordedRow, recordedPeople } from './recorded-people.ts';

const row = (trackId: string, startMs: number, durationMs: number): RecordedRow => ({
  participantId: 'ada' as ParticipantId,
  name: 'Ada',
  kind: 'staff',
  trackId: trackId as RecordedTrackId,
  source: 'camera',
  startMs,
  durationMs,
});
const tracksOf = (rows: RecordedRow[]) =>
  recordedPeople(rows, ({ startMs }) => ({ startMs }) as RecordedFile).flatMap(({ tracks }) =>
    tracks.map(({ files }) => files.map(({ startMs }) => startMs)),
  );

test('what pages recorded one after the other is one track, and what they recorded at once is two', () => {
  const first = [row('a', 0, 60_000), row('a', 60_000, 60_000)];
  expect(tracksOf([...first, row('b', 119_500, 1_000)])).toEqual([[0, 60_000, 119_500]]);
  expect(tracksOf([...first, row('b', 118_900, 60_000)])).toEqual([[0, 60_000], [118_900]]);
  // Within a longer one, and before it.
  expect(tracksOf([...first, row('b', 10_000, 2_000)])).toEqual([[0, 60_000], [10_000]]);
  expect(tracksOf([row('a', 10_000, 2_000), row('b', 0, 60_000)])).toEqual([[10_000], [0]]);
  // Both shorter than clocks differ, and one without a length.
  expect(tracksOf([row('a', 0, 900), row('b', 100, 900)])).toEqual([[0, 100]]);
  expect(tracksOf([row('a', 0, 60_000), { ...row('b', 5, 0), durationMs: null }])).toEqual([
    [0, 5],
  ]);
});

test('R25-B2: the tracks of two thousand files are the same as by comparing all pairs', () => {
  let seed = 25;
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let round = 0; round < 200; round += 1) {
    const [some, others] = ['a', 'b'].map((track) =>
      Array.from({ length: 1 + random(5) }, () => row(track, random(30_000), random(5_000))),
    ) as [RecordedRow[], RecordedRow[]];
    const end = ({ startMs, durationMs }: RecordedRow) => startMs + (durationMs ?? 0);
    const areAtOnce = some.some((a) =>
      others.some((b) => Math.min(end(a), end(b)) - Math.max(a.startMs, b.startMs) > 1000),
    );
    expect(tracksOf([...some, ...others])).toHaveLength(areAtOnce ? 2 : 1);
  }
});
