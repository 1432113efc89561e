// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, shownToasts, toast } from '#web/ui/toast-store.ts';
import { Toaster } from '#web/ui/toaster.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toaster label="Notifications ({hotkey})" closeLabel="Dismiss" />);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('only one toast is shown at a time: the newest', () => {
  act(() => toast({ title: 'First' }));
  act(() => toast({ title: 'Second' }));
  expect(screen.queryByText('First')).toBe(null);
  expect(screen.getByText('Second')).toBeTruthy();
});

test('a toast closes after five seconds', () => {
  act(() => toast({ title: 'Brief' }));
  act(() => void vi.advanceTimersByTime(4999));
  expect(screen.queryByText('Brief')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(2));
  expect(shownToasts()[0]?.open).toBe(false);
});

test.each([
  ['default', 'bg-raised'],
  ['destructive', 'bg-destructive'],
] as const)('a %s toast has the background %s', (tone, background) => {
  act(() => toast({ title: 'Colored', tone }));
  const { classList, dataset } = screen.getByText('Colored').closest('li') ?? document.body;
  expect(dataset.look).toBe(tone);
  expect([...classList]).toContain(background);
});

test('F8 focuses the toasts, and they are at most 420 px wide', () => {
  const region = screen.getByRole('region');
  expect(region.getAttribute('aria-label')).toBe('Notifications (F8)');
  expect(region.querySelector('ol')?.className).toContain('max-w-[420px]');
});

test('a dismissed toast is kept for 1,000,000 ms', () => {
  act(() => toast({ title: 'Gone' }));
  const id = shownToasts()[0]?.id ?? 0;
  act(() => dismissToast(id));
  vi.advanceTimersByTime(999_999);
  expect(shownToasts().map((each) => each.id)).toEqual([id]);
  act(() => void vi.advanceTimersByTime(1));
  expect(shownToasts()).toEqual([]);
});
