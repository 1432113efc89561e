// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CallTimer } from '#web/calls/call-timer.tsx';
import { show } from '#web/testing/show.tsx';

afterEach(() => vi.useRealTimers());

test('the timer of a call ticks every second', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-04T10:00:58Z') });
  show(<CallTimer startedAt="2026-03-04T10:00:00Z" />);
  const shown = () => screen.getByRole('timer').textContent;
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  expect(shown()).toBe('0:58');
  pass(999);
  expect(shown()).toBe('0:58');
  pass(1);
  expect(shown()).toBe('0:59');
  pass(1000);
  expect(shown()).toBe('1:00');
});
