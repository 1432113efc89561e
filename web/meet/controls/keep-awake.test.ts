// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { keepAwake } from './keep-awake.ts';

const release = vi.fn(async () => {});
const request = vi.fn(async () => ({ release }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test('the screen stays awake in a call, is asked for again when seen again, and let go after it', async () => {
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

test('a browser that cannot, or does not want to, keeps nobody from the call', async () => {
  vi.stubGlobal('navigator', {});
  keepAwake()();
  request.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  vi.stubGlobal('navigator', { wakeLock: { request } });
  keepAwake()();
  await vi.waitFor(() => expect(request).toHaveBeenCalled());
});
