import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { currentUserQuery } from '#web/auth/queries.ts';
import { newQueryClient } from '#web/platform/query-client.ts';
import { fakeServer, refusal, signedOut } from '#web/testing/fake-server.ts';
import { ada } from '#web/testing/show.tsx';

afterEach(() => vi.useRealTimers());

test('data is never stale: no interval, no refetch on focus, no retries', async () => {
  expect(newQueryClient().getDefaultOptions().queries).toMatchObject({
    refetchInterval: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  let asked = 0;
  const query = { queryKey: ['x'], queryFn: () => Promise.reject(new Error(String(++asked))) };
  await expect(newQueryClient().fetchQuery(query)).rejects.toThrow('1');
  expect(asked).toBe(1);
});

test('the current user is fresh for 30 seconds, and cached for 5 minutes', async () => {
  vi.useFakeTimers();
  const asked = fakeServer({ 'GET /api/user': ada });
  const client = newQueryClient();
  const look = async () => {
    const stop = new QueryObserver(client, currentUserQuery).subscribe(() => {});
    await vi.advanceTimersByTimeAsync(0);
    stop();
  };
  await look();
  await vi.advanceTimersByTimeAsync(29_000);
  await look();
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2000);
  await look();
  expect(asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(299_000);
  expect(client.getQueryData(currentUserQuery.queryKey)).toEqual(ada);
  await vi.advanceTimersByTimeAsync(2000);
  expect(client.getQueryData(currentUserQuery.queryKey)).toBe(undefined);
});

test('a 401 reads as null for the current user, without a retry', async () => {
  const asked = fakeServer({ 'GET /api/user': signedOut });
  expect(await newQueryClient().fetchQuery(currentUserQuery)).toBe(null);
  expect(asked).toHaveLength(1);
});

test('a failed request for the current user is retried once', async () => {
  vi.useFakeTimers();
  const asked = fakeServer({ 'GET /api/user': () => refusal(503) });
  const failed = newQueryClient()
    .fetchQuery(currentUserQuery)
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failed).toBeInstanceOf(Error);
  expect(asked).toHaveLength(2);
});
