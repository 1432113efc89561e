// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { keepAwake } from './keep-awake.ts';

const release = vi.fn(async () => {});
const request = vi.fn(async () => ({ release }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test('the wake lock is held in a call, requested again when the page is shown again, and released afterwards', async () => {
  vi.stubGlobal('navigator', { wakeLock: { request } });
  const stop = keepAwake();
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(1));
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(2));
  stop();
  expect(release).toHaveBeenCalled();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(request).toHaveBeenCalledTimes(2);
});

test('a browser that does not support or refuses the wake lock can still call', async () => {
  vi.stubGlobal('navigator', {});
  keepAwake()();
  request.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  vi.stubGlobal('navigator', { wakeLock: { request } });
  keepAwake()();
  await vi.waitFor(() => expect(request).toHaveBeenCalled());
});
