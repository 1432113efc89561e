import { expect, test } from 'vitest';
import { Detectors } from './detectors.ts';

const atOnce = <T>(work: () => Promise<T>) => work();
const made = () => ({ isSpeech: () => false, reset: () => undefined });

/** Detectors, and a function that takes some for an organization. */
function prepared() {
  const counts = { opened: 0, simple: 0 };
  const count = (kind: 'opened' | 'simple') => () => {
    counts[kind] += 1;
    return made();
  };
  const detectors = new Detectors(count('opened'), count('simple'));
  const take = (orgId: string, length: number) =>
    Promise.all(Array.from({ length }, () => detectors.take(orgId, atOnce)));
  return { counts, detectors, take };
}

test('R25-B4: an organization has half of the detectors at most, and others find some', async () => {
  const { counts, detectors, take } = prepared();
  const [first] = await take('eve', 40);
  expect(counts).toEqual({ opened: 16, simple: 24 });
  await take('ada', 20);
  expect(counts).toEqual({ opened: 32, simple: 28 });
  if (first) detectors.giveBack(first);
  await take('eve', 2);
  expect(counts).toEqual({ opened: 32, simple: 29 });
});

test('R19-58: a detector is opened in the turn of its organization', async () => {
  const { counts, detectors } = prepared();
  const turns: (() => void)[] = [];
  const waits = <T>(work: () => Promise<T>) =>
    new Promise<void>((resolve) => turns.push(resolve)).then(work);
  const taken = detectors.take('eve', waits);
  expect([counts.opened, turns.length]).toEqual([0, 1]);
  turns[0]?.();
  await taken;
  expect(counts.opened).toBe(1);
});

test('a detector that is given back is used again', async () => {
  const { counts, detectors, take } = prepared();
  const first = await take('eve', 4);
  for (const one of first) detectors.giveBack(one);
  const again = await take('eve', 4);
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
  for (let n = 0; n < 3; n += 1) detectors.giveBack(await detectors.take('ada', atOnce));
  expect(simple.size).toBe(3);
});
