// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { callId } from '#domain/ids.ts';
import { transcriptLine } from '#domain/transcripts/contract.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { ExportMenu } from '#web/transcripts/export-menu.tsx';
import { LineCorrection } from '#web/transcripts/line-correction.tsx';

const call = callId.parse(someId(50));
const line = transcriptLine.parse({
  id: someId(1),
  participantId: someId(90),
  name: 'Cleo',
  kind: 'guest',
  startMs: 65_000,
  endMs: 66_000,
  language: 'en',
  text: 'We sell by Friday',
  recognizedText: null,
});

test('a line is corrected in a dialog, which shows what was recognized', async () => {
  const asked = fakeServer({
    [`PATCH /api/transcript-lines/${line.id}`]: {
      ...line,
      text: 'We send it by Friday',
      recognizedText: line.text,
    },
  });
  const { by } = show(<LineCorrection callId={call} line={line} />, { user: ada });
  await by.click(await screen.findByRole('button', { name: 'Correct: We sell by Friday' }));
  const field = await screen.findByLabelText('What was said');
  await by.clear(field);
  await by.type(field, 'We send it by Friday');
  await by.click(screen.getByRole('button', { name: 'Save correction' }));
  await expect
    .poll(() => asked.find(({ method }) => method === 'PATCH')?.body)
    .toEqual({
      text: 'We send it by Friday',
    });
});

test('viewers cannot correct, and read that a line was corrected', async () => {
  fakeServer({});
  const corrected = { ...line, recognizedText: 'We sell it' };
  const viewer = { ...ada, role: 'VIEWER' as const };
  show(<LineCorrection callId={call} line={corrected} />, { user: viewer });
  expect(await screen.findByText('Corrected')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Correct/ })).toBe(null);
});

test('a transcript is exported in every format', async () => {
  const { by } = show(<ExportMenu callId={call} />, { user: ada });
  await by.click(screen.getByRole('button', { name: 'Export' }));
  const links = (await screen.findAllByRole('menuitem')).map((link) => link.getAttribute('href'));
  expect(links).toEqual(
    ['txt', 'srt', 'vtt', 'json', 'docx'].map(
      (format) => `/api/calls/${call}/transcript/export?format=${format}`,
    ),
  );
});
