// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SimulatedCall } from '#web/calls/simulated-call.tsx';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const speakers = () =>
  screen
    .getAllByRole('figure')
    .filter((each) => each.textContent?.includes('Speaking'))
    .map((each) => each.textContent);

test('exactly one of the two people speaks, in turn, five seconds each', async () => {
  render(<SimulatedCall />);
  expect(screen.getAllByRole('figure')).toHaveLength(2);
  expect(speakers()).toEqual([expect.stringContaining('Sarah Chen')]);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(speakers()).toEqual([expect.stringContaining('Marcus Webb')]);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(speakers()).toEqual([expect.stringContaining('Sarah Chen')]);
});
