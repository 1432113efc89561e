// @vitest-environment happy-dom
import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { listRooms } from '#domain/rooms/contract.ts';
import { reading } from '#web/platform/query-client.ts';
import { OfflineBanner } from '#web/shell/offline-banner.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';

function setOnline(online: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')));
}
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function Rooms() {
  return <p>{useQuery(reading(listRooms, {})).data && 'loaded'}</p>;
}

test('without a network, one banner says how old the data are, and they are read again with it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = fakeServer({ 'GET /api/rooms': [] });
  show(
    <>
      <OfflineBanner />
      <Rooms />
    </>,
  );
  await screen.findByText('loaded');
  expect(screen.queryByRole('status')).toBe(null);
  setOnline(false);
  expect((await screen.findByRole('status')).textContent).toContain('You’re offline.');
  expect(screen.getByRole('status').textContent).toContain('up to date');
  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000));
  expect(screen.getByRole('status').textContent).toContain('from 5 minutes ago');
  const before = asked.length;
  setOnline(true);
  expect(screen.queryByRole('status')).toBe(null);
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
});
