import { expect, test, vi } from 'vitest';
import { type OpeningAnswer, OpeningWatch } from './opening-watch.ts';

const opensAt = '2026-11-23T08:00:00.000Z';
const closed = (now: string): OpeningAnswer => ({ isOpen: false, opensAt, now });

/** A watch whose timers the test advances. */
function watch(now: string, answers: (OpeningAnswer | 'gone' | null)[]) {
  let elapsed = 5000;
  const waits: number[] = [];
  const steps: (() => void)[] = [];
  const onOpen = vi.fn();
  const made = new OpeningWatch({
    boot: { opensAt, now },
    ask: async () => answers.shift() ?? null,
    onOpen,
    elapsed: () => elapsed,
    setTimer: (step, ms) => {
      waits.push(ms);
      steps.push(step);
      return setTimeout(() => {}, 0);
    },
  });
  const pass = async () => {
    elapsed += waits.at(-1) ?? 0;
    steps.at(-1)?.();
    await vi.waitFor(() => {});
  };
  return { made, waits, pass, onOpen };
}

test("the page opens at the server's time, whatever this device's clock shows", async () => {
  vi.useFakeTimers({ now: new Date('2031-01-01'), toFake: ['Date'] });
  const { waits, pass, onOpen } = watch('2026-11-23T07:59:30.000Z', [
    { isOpen: true, opensAt: null, now: opensAt },
  ]);
  expect(waits).toEqual([30_000]);
  await pass();
  expect(onOpen).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

test('long before the opening it asks every minute, and adopts changed hours', async () => {
  const later = '2026-11-24T08:00:00.000Z';
  const { made, waits, pass, onOpen } = watch('2026-11-20T08:00:00.000Z', [
    { isOpen: false, opensAt: later, now: '2026-11-20T08:01:00.000Z' },
  ]);
  expect(waits).toEqual([60_000]);
  await pass();
  expect(made.getSnapshot().opensAt).toBe(later);
  expect(onOpen).not.toHaveBeenCalled();
  expect(waits).toEqual([60_000, 60_000]);
});

test('a server that does not answer, or whose clock is a moment behind, is asked again', async () => {
  const { waits, pass, onOpen } = watch('2026-11-23T07:59:59.500Z', [
    null,
    closed('2026-11-23T07:59:59.900Z'),
    'gone',
  ]);
  expect(waits).toEqual([1000]);
  await pass();
  await pass();
  expect(waits).toEqual([1000, 1000, 1000]);
  expect(onOpen).not.toHaveBeenCalled();
  await pass();
  expect(onOpen, 'a link that has ended says why').toHaveBeenCalledOnce();
});
