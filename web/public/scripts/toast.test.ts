// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showToast } from '#web/public/scripts/toast.ts';

const region = () => document.getElementById('toast') as HTMLElement;
const item = () => document.querySelector<HTMLElement>('.toast-item');
const press = (key: string) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
const point = (type: string, clientX: number) =>
  item()?.dispatchEvent(new PointerEvent(type, { clientX, bubbles: true }));

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML =
    '<button id="before"></button><section id="toast" tabindex="-1" data-close="Dismiss"><div role="status"></div></section>';
  HTMLElement.prototype.setPointerCapture = () => {};
  showToast(region(), { title: 'Logged out', description: 'You have been logged out' });
});
afterEach(() => vi.useRealTimers());

test('the message stands for five seconds', () => {
  expect(region().textContent).toContain('Logged outYou have been logged out');
  vi.advanceTimersByTime(4_999);
  expect(item()).not.toBe(null);
  vi.advanceTimersByTime(1);
  expect(item()).toBe(null);
});

test('its button closes it', () => {
  const button = item()?.querySelector('button');
  expect(button?.ariaLabel).toBe('Dismiss');
  button?.click();
  expect(item()).toBe(null);
});

test('a swipe of 50 px to the right closes it, and one of 49 does not', () => {
  for (const [to, stays] of [
    [149, true],
    [20, true],
    [150, false],
  ] as const) {
    point('pointerdown', 100);
    point('pointermove', to);
    point('pointerup', to);
    expect(item() !== null).toBe(stays);
  }
});

test('F8 moves the focus to it, which stops its time, and Escape closes it and returns the focus', () => {
  const before = document.getElementById('before') as HTMLElement;
  before.focus();
  press('Escape');
  expect(item()).not.toBe(null);
  press('F8');
  expect(document.activeElement).toBe(region());
  vi.advanceTimersByTime(60_000);
  expect(item()).not.toBe(null);
  press('Escape');
  expect(item()).toBe(null);
  expect(document.activeElement).toBe(before);
});

test('a pointer on it stops its time until it leaves', () => {
  region().dispatchEvent(new PointerEvent('pointerenter'));
  vi.advanceTimersByTime(60_000);
  expect(item()).not.toBe(null);
  region().dispatchEvent(new PointerEvent('pointerleave'));
  vi.advanceTimersByTime(5_000);
  expect(item()).toBe(null);
});
