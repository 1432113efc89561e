// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAlerts, saveAlerts } from '#web/notices/alerts.ts';
import { AlertsCard } from '#web/notices/alerts-card.tsx';
import { markPage } from '#web/notices/page-marker.ts';
import { ring } from '#web/notices/ring.ts';
import { ada, show } from '#web/testing/show.tsx';

const knock = vi.hoisted(() => vi.fn());
vi.mock('#web/meet/lobby/knock-sound.ts', () => ({ knock }));

class FakeNotification {
  static permission: NotificationPermission = 'default';
  static answer: NotificationPermission = 'granted';
  static asked = 0;
  static shown: [string, NotificationOptions | undefined][] = [];
  onclick: (() => void) | null = null;
  constructor(title: string, options?: NotificationOptions) {
    FakeNotification.shown.push([title, options]);
  }
  static requestPermission() {
    FakeNotification.asked += 1;
    FakeNotification.permission = FakeNotification.answer;
    return Promise.resolve(FakeNotification.permission);
  }
}

let waits = 0;
/** Another guest of room r1, who begins to wait now. */
const someone = (name = 'Samuel') => {
  waits += 1;
  const guests = [{ id: `g${waits}`, name, since: `2026-01-01T10:00:${waits}.000Z` }];
  return { roomId: 'r1', topic: 'Review', guests };
};

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal('Notification', FakeNotification);
  vi.stubGlobal('isSecureContext', true);
  Object.assign(FakeNotification, {
    permission: 'default',
    answer: 'granted',
    asked: 0,
    shown: [],
  });
  knock.mockClear();
  localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
const rung = () => vi.advanceTimersByTimeAsync(10_000);
const looksAway = () => vi.spyOn(document, 'hasFocus').mockReturnValue(false);

test('a guest who begins to wait makes one sound, also after a reload', async () => {
  const room = someone();
  ring([room]);
  ring([room]);
  await rung();
  expect(knock).toHaveBeenCalledOnce();
  vi.resetModules();
  const again = await import('#web/notices/ring.ts');
  again.ring([room]);
  await rung();
  expect(knock).toHaveBeenCalledOnce();
  ring([someone()]);
  await rung();
  expect(knock).toHaveBeenCalledTimes(2);
});

test('the sound can be switched off, in this browser', async () => {
  const { by } = show(<AlertsCard />);
  const sound = screen.getByRole<HTMLInputElement>('switch', { name: /^Sound/ });
  expect(sound.checked).toBe(true);
  await by.click(sound);
  expect(readAlerts().sound).toBe(false);
  ring([someone()]);
  await rung();
  expect(knock).not.toHaveBeenCalled();
});

test('the browser asks about notifications only at the person’s click', async () => {
  looksAway();
  ring([someone()]);
  await rung();
  const { by } = show(<AlertsCard />);
  expect(FakeNotification.asked).toBe(0);
  await by.click(screen.getByRole('switch', { name: /^Desktop notifications/ }));
  await waitFor(() => expect(readAlerts().system).toBe(true));
  expect(FakeNotification.asked).toBe(1);
  ring([someone('<b>Tina</b>')]);
  await rung();
  expect(FakeNotification.shown).toEqual([
    ['<b>Tina</b> is waiting', { body: 'Review', tag: 'waiting r1' }],
  ]);
});

test('where notifications are refused, the switch stays off and says what to do', async () => {
  FakeNotification.answer = 'denied';
  const { by } = show(<AlertsCard />);
  await by.click(screen.getByRole('switch', { name: /^Desktop notifications/ }));
  expect(await screen.findByText(/^Your browser is blocking notifications/)).toBeTruthy();
  const system = screen.getByRole<HTMLInputElement>('switch', { name: /^Desktop notifications/ });
  expect([system.checked, system.disabled, readAlerts().system]).toEqual([false, true, false]);
  saveAlerts({ system: true });
  looksAway();
  ring([someone()]);
  await rung();
  expect(FakeNotification.shown).toEqual([]);
});

test('a person who looks at the page gets no notification', async () => {
  FakeNotification.permission = 'granted';
  saveAlerts({ system: true });
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  ring([someone()]);
  await rung();
  expect(FakeNotification.shown).toEqual([]);
});

test('a viewer, who may not admit guests, has no such settings', () => {
  show(<AlertsCard />, { user: { ...ada, role: 'VIEWER' } });
  expect(screen.queryByRole('switch')).toBe(null);
});

test('the tab shows the number of guests through changes of the title, and a mark on the icon', async () => {
  document.head.innerHTML = '<title>Rooms</title><link rel="icon" href="/icon.svg">';
  const icon = () => document.querySelector('link')?.getAttribute('href');
  const unmark = markPage(2);
  expect([document.title, icon()]).toEqual(['(2) Rooms', '/icon-waiting.svg']);
  document.title = 'Analytics';
  await waitFor(() => expect(document.title).toBe('(2) Analytics'));
  unmark();
  expect([document.title, icon()]).toEqual(['Analytics', '/icon.svg']);
});
