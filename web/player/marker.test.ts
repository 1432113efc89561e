import { expect, test } from 'vitest';
import { type Marker, markerGroups } from './marker.ts';

test('markers that would cover each other are one group', () => {
  const markers = [0, 1000, 1500, 30_000, 31_100].map(
    (atMs): Marker => ({ id: `${atMs}`, kind: 'tick', atMs, text: '' }),
  );
  const groups = (durationMs: number) =>
    markerGroups(markers, durationMs).map((group) => group.map(({ atMs }) => atMs));
  expect(groups(60_000)).toEqual([[0, 1000], [1500], [30_000, 31_100]]);
  expect(groups(50_000)).toEqual([[0], [1000, 1500], [30_000], [31_100]]);
});
