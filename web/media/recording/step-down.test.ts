import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MonitoredConnection } from '#web/media/monitored-connection.ts';
import { StepDown, sentPictures } from './step-down.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const source = (framesPerSecond: number) => ({
  id: 'camera',
  type: 'media-source',
  framesPerSecond,
});
const sent = (framesPerSecond: number, changed: object = {}) => ({
  ...{ type: 'outbound-rtp', kind: 'video', mediaSourceId: 'camera', framesEncoded: 100 },
  framesPerSecond,
  ...changed,
});

/** A call whose camera gives `given` frames a second, and that sends `sends`. */
function open(given: number, sends: number) {
  const now = { given, sends, reason: 'none' };
  const stats = async () => [
    source(now.given),
    sent(now.sends, { qualityLimitationReason: now.reason }),
  ];
  // The other properties are not read.
  const connection = { key: {}, stats } as unknown as MonitoredConnection;
  const onLess = vi.fn();
  const watch = new StepDown(() => new Map([['peer', connection]]), onLess);
  return { now, onLess, watch };
}

test('a call that sends less than 80 % of before has its recording take less, once and then again', async () => {
  const { now, onLess, watch } = open(30, 20);
  watch.start();
  await vi.advanceTimersByTimeAsync(20_000);
  // As many as before, although the camera gives more.
  expect(onLess).not.toHaveBeenCalled();
  now.sends = 15;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(onLess).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(onLess).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(onLess).toHaveBeenCalledTimes(2);
  watch.stop();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(onLess).toHaveBeenCalledTimes(2);
});

test('neither a slow camera, nor a narrow line, nor a short disturbance counts', async () => {
  const { now, onLess, watch } = open(30, 30);
  watch.start();
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(now, { given: 10, sends: 10 });
  await vi.advanceTimersByTimeAsync(20_000);
  Object.assign(now, { given: 30, sends: 5, reason: 'bandwidth' });
  await vi.advanceTimersByTimeAsync(20_000);
  for (let count = 0; count < 5; count += 1) {
    Object.assign(now, { sends: 5, reason: 'none' });
    await vi.advanceTimersByTimeAsync(6_000);
    now.sends = 30;
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(onLess).not.toHaveBeenCalled();
  watch.stop();
});

test('of several layers the fastest counts, and one that is not sent does not', () => {
  const layers = [sent(10), sent(28), sent(0, { active: false }), source(30)];
  expect(sentPictures(layers)).toEqual([{ source: 'camera', sent: 28, given: 30 }]);
  expect(sentPictures([sent(0, { framesEncoded: 0 }), source(30)])).toEqual([]);
});
