// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listRooms } from '#domain/rooms/contract.ts';
import { newQueryClient, reading } from '#web/platform/query-client.ts';
import { redirectDelayMs, redirectWhenUnauthorized } from '#web/platform/unauthorized.ts';
import { fakeServer, refusal, signedOut } from '#web/testing/fake-server.ts';
import { shownToasts } from '#web/ui/toast-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

const unauthorized = new Error('401: {"status":401,"title":"Unauthorized"}');

test('a toast shows that the person is logged out, and half a second later the sign-in page opens', () => {
  const go = vi.fn();
  redirectWhenUnauthorized(unauthorized, go);
  redirectWhenUnauthorized(unauthorized, go);
  expect(shownToasts()[0]).toMatchObject({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    tone: 'destructive',
  });
  vi.advanceTimersByTime(499);
  expect(go).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(go).toHaveBeenCalledOnce();
  expect(go).toHaveBeenCalledWith(expect.stringMatching(/^\/api\/login\?next=%2F/));
});

test('another failure, such as a wrong password, does not redirect', () => {
  const go = vi.fn();
  redirectWhenUnauthorized(new Error('Invalid email or password'), go);
  redirectWhenUnauthorized(new Error('403: Forbidden'), go);
  vi.runAllTimers();
  expect(go).not.toHaveBeenCalled();
});

test('a query that gets a 401 redirects to sign-in, and is not retried', async () => {
  const asked = fakeServer({ 'GET /api/rooms': signedOut });
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  await newQueryClient()
    .fetchQuery(reading(listRooms, {}))
    .catch(() => {});
  await vi.advanceTimersByTimeAsync(redirectDelayMs);
  expect(assign).toHaveBeenCalledOnce();
  expect(asked.length).toBe(1);
});

test('query keys are the segments of the path, so that a list’s key covers what is below it', () => {
  fakeServer({ 'GET /api/rooms': () => refusal(500) });
  expect(reading(listRooms, {}).queryKey.join('/')).toBe('/api/rooms');
});
