import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Detectors } from './detectors.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const atOnce = <T>(work: () => Promise<T>) => work();
const made = () => ({ isSpeech: () => false, reset: () => undefined });

/** Detectors, and a function that takes one and notes it. */
function prepared() {
  const counts = { opened: 0, simple: 0 };
  const count = (kind: 'opened' | 'simple') => () => {
    counts[kind] += 1;
    return made();
  };
  const detectors = new Detectors(count('opened'), count('simple'));
  const take = (orgId: string, participantId: string) =>
    detectors.take({ orgId, participantId }, atOnce);
  return { counts, detectors, take };
}

test('R19-58: streams that begin open four detectors of their organization at once', async () => {
  const { counts, take } = prepared();
  const begun = Array.from({ length: 60 }, (_, n) => take('eve', `${n}`));
  await vi.advanceTimersByTimeAsync(0);
  expect(counts).toEqual({ opened: 4, simple: 0 });
  await take('ada', 'one');
  expect(counts.opened).toBe(5);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(counts.opened).toBeGreaterThan(8);
  expect(counts.opened).toBeLessThan(13);
  // Once as many as there may be are open, nobody waits for one.
  await vi.advanceTimersByTimeAsync(4_000);
  await Promise.all(begun);
  expect(counts).toEqual({ opened: 32, simple: 29 });
});

test('a detector that is given back is used again, without a wait', async () => {
  const { counts, detectors, take } = prepared();
  const first = await Promise.all(Array.from({ length: 4 }, (_, n) => take('eve', `${n}`)));
  for (const one of first) detectors.giveBack(one);
  const again = await Promise.all(Array.from({ length: 4 }, (_, n) => take('eve', `${n}`)));
  expect(new Set([...first, ...again]).size).toBe(4);
  expect(counts).toEqual({ opened: 4, simple: 0 });
});

test('a simple detector is not kept', async () => {
  const simple = new Set<object>();
  const detectors = new Detectors(null, () => {
    const one = made();
    simple.add(one);
    return one;
  });
  for (let n = 0; n < 3; n += 1)
    detectors.giveBack(await detectors.take({ orgId: 'ada', participantId: 'one' }, atOnce));
  expect(simple.size).toBe(3);
});
