// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SaveStatusLine } from '#web/calls/save-status-line.tsx';
import { NotesServer, Page } from '#web/testing/notes-server.ts';
import { show } from '#web/testing/show.tsx';

afterEach(() => vi.useRealTimers());

test('the status line shows Saving..., then Auto-saved and when the notes were last saved', async () => {
  // The time at which the server stored them, in its answer.
  vi.useFakeTimers({ now: Date.parse('2026-03-04T10:00:00Z') });
  const server = new NotesServer();
  const page = new Page(server);
  server.join(page);
  show(<SaveStatusLine notes={page.notes} online />);
  expect(screen.queryByText(/Last saved/)).toBe(null);
  act(() => page.type('They love it.'));
  expect(screen.getByText('Saving...')).toBeTruthy();
  expect(screen.queryByText(/Last saved/)).toBe(null);
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(screen.getByText('Auto-saved')).toBeTruthy();
  expect(screen.getByText('Last saved just now')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(screen.getByText('Last saved 30 seconds ago')).toBeTruthy();
});
