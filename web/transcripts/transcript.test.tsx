// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { callId } from '#domain/ids.ts';
import { transcriptLine } from '#domain/transcripts/contract.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { Transcript } from '#web/transcripts/transcript.tsx';

const call = callId.parse(someId(50));
const path = `/api/calls/${call}/transcript`;
const line = (number: number, text: string, startMs: number) =>
  transcriptLine.parse({
    id: someId(number),
    participantId: someId(90),
    name: 'Cleo',
    kind: 'guest',
    startMs,
    endMs: startMs + 1000,
    language: 'en',
    text,
    recognizedText: null,
  });
const first = line(1, 'We sell by Friday', 65_000);
const second = line(2, 'Agreed', 3_700_000);
const page = (lines: object[], next: string | null = null, state = 'ready') => ({
  state,
  lines,
  next,
  missingPhrases: 0,
});

test('shows names, times, and lines page by page, and links every format', async () => {
  fakeServer({
    [`GET ${path}`]: ({ query }) => (query ? page([second]) : page([first], '65000.x')),
  });
  const seek = vi.fn();
  const { by } = show(<Transcript callId={call} onSeek={seek} />, { user: ada });
  expect(await screen.findByText('We sell by Friday')).toBeTruthy();
  await by.click(screen.getByRole('button', { name: '1:05' }));
  expect(seek).toHaveBeenCalledWith(65_000);
  await by.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('button', { name: '1:01:40' })).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Export' }));
  const links = (await screen.findAllByRole('menuitem')).map((link) => link.getAttribute('href'));
  expect(links).toEqual(
    ['txt', 'srt', 'vtt', 'json', 'docx'].map((format) => `${path}/export?format=${format}`),
  );
});

test('a line is corrected in a dialog, which shows what was recognized', async () => {
  const changed = { ...first, text: 'We send it by Friday', recognizedText: first.text };
  const asked = fakeServer({
    [`GET ${path}`]: page([first]),
    [`PATCH /api/transcript-lines/${first.id}`]: changed,
  });
  const { by } = show(<Transcript callId={call} />, { user: ada });
  await by.click(await screen.findByRole('button', { name: 'Correct: We sell by Friday' }));
  const field = await screen.findByLabelText('What was said');
  await by.clear(field);
  await by.type(field, 'We send it by Friday');
  await by.click(screen.getByRole('button', { name: 'Save correction' }));
  expect(await screen.findByText('Corrected')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({
    text: 'We send it by Friday',
  });
});

test('viewers cannot correct; a call without a transcript has no section; a failed one says so', async () => {
  const viewer = { ...ada, role: 'VIEWER' as const };
  fakeServer({ [`GET ${path}`]: page([first]) });
  const { unmount } = show(<Transcript callId={call} />, { user: viewer });
  await screen.findByText('We sell by Friday');
  expect(screen.queryByRole('button', { name: /^Correct/ })).toBe(null);
  unmount();
  const asked = fakeServer({ [`GET ${path}`]: page([], null, 'none') });
  const none = show(<Transcript callId={call} />, { user: ada });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByRole('heading', { name: 'Transcript' })).toBe(null);
  none.unmount();
  fakeServer({ [`GET ${path}`]: { ...page([], null, 'failed'), missingPhrases: 3 } });
  show(<Transcript callId={call} />, { user: ada });
  expect(await screen.findByText(/couldn’t be recognized/)).toBeTruthy();
});
