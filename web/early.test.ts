// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rememberChoice } from '#web/media/devices/remembered-choice.ts';
import { ada } from '#web/testing/show.tsx';

const loaded = vi.fn();

beforeEach(() => {
  rememberChoice(localStorage, { skipPreview: true });
  vi.useFakeTimers();
  vi.resetModules();
  loaded.mockClear();
  vi.doMock('#web/main.tsx', () => {
    loaded();
    return {};
  });
  vi.doMock('#web/pages.ts', () => ({ pages: {} }));
});
afterEach(() => {
  document.body.innerHTML = '';
  vi.useRealTimers();
});

const room = { dailyUrl: '/meet/r', meetingToken: 'x' };

async function open(boot: object | null) {
  const json = boot && JSON.stringify(boot);
  document.body.innerHTML = `<div id="stage"></div>${
    json ? `<script type="application/json" id="boot">${json}</script>` : ''
  }`;
  await import('#web/early.ts');
  await vi.advanceTimersByTimeAsync(0);
}
const frame = () => document.querySelector('iframe');
const meetingSays = (type: string) =>
  window.dispatchEvent(
    Object.assign(new Event('message'), {
      data: { rapport: 1, type },
      source: frame()?.contentWindow,
      origin: window.location.origin,
    }),
  );

test('a call page’s frame loads before the application, which waits for it to join', async () => {
  await open({ user: ada, room });
  expect(frame()?.getAttribute('src')).toBe('/meet/r?t=x');
  meetingSays('ready');
  await vi.advanceTimersByTimeAsync(250);
  expect(loaded).not.toHaveBeenCalled();
  meetingSays('joined');
  await vi.advanceTimersByTimeAsync(200);
  await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce(), 4000);
});

test('if the preview comes first, the application loads immediately', async () => {
  rememberChoice(localStorage, { skipPreview: false });
  await open({ user: ada, room });
  await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce(), 4000);
});

test('the application waits at most 600 ms for a frame that does not join', async () => {
  await open({ user: ada, room });
  await vi.advanceTimersByTimeAsync(600);
  await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce(), 4000);
});

test('a viewer, and any other page, has no early frame', async () => {
  await open({ user: { ...ada, role: 'VIEWER' }, room });
  expect(frame()).toBe(null);
  await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce(), 4000);
});

test('without boot data the application loads immediately', async () => {
  await open(null);
  expect(frame()).toBe(null);
  await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce(), 4000);
});

test('the time at which the server wrote the page sets its clock', async () => {
  await open({ user: ada, room, servedAt: new Date(Date.now() - 3 * 3_600_000).toISOString() });
  const { serverNow } = await import('#web/platform/clock.ts');
  expect(serverNow()).toBe(Date.now() - 3 * 3_600_000);
});
