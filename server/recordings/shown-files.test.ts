import { expect, test } from 'vitest';
import { recordedMediaId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { shownFiles, valuesOf } from './shown-files.ts';

test('R24-B1: the files of a long recording are made beside other work', async () => {
  const rows = Array.from({ length: 200 }, (_, startMs) => ({ startMs }));
  let iterations = 0;
  let isDone = false;
  const count = () => {
    iterations += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const slow = ({ startMs }: { startMs: number }) => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    return {
      id: newId(recordedMediaId),
      state: 'ready' as const,
      url: null,
      posterUrl: null,
      mimeType: null,
      hasVideo: false,
      startMs,
      durationMs: null,
      sizeBytes: null,
      waveform: [],
    };
  };
  const fileOf = await shownFiles(rows, slow);
  isDone = true;
  // 200 ms of work, about one at a time.
  expect(iterations).toBeGreaterThan(50);
  expect(rows.map((row) => fileOf(row).startMs)).toEqual(rows.map(({ startMs }) => startMs));
});

test('a waveform has the values of its bytes, and none is empty', () => {
  expect(valuesOf(Buffer.of(0, 7, 255))).toEqual([0, 7, 255]);
  expect(valuesOf(null)).toEqual([]);
});
