// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ActionItems } from '#web/action-items/action-items.tsx';
import { CallInsights } from '#web/insights/call-insights.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';
import { someCallDetails } from '#web/testing/some.ts';

const call = someCallDetails({ notesSnapshot: 'They want 50 seats.\nBy March.' });
const at = `/api/calls/${call.id}`;
const said = {
  kind: 'line',
  lineId: someId(9),
  startMs: 65_000,
  speaker: 'Ben',
  quote: 'It failed',
};
const noted = { kind: 'note', line: 2, quote: 'By March.' };
const ready = {
  state: 'ready',
  generatedAt: '2026-03-04T10:06:00Z',
  analyzer: { name: 'openai', offline: false, model: 'large' },
  insights: {
    summary: [{ text: 'The export failed.', cites: [said, noted] }],
    topics: [],
    questions: [{ text: 'What does it cost?', cites: [said], askedBy: 'Ben', isOpen: true }],
    talk: [
      {
        ...{ participantId: someId(8), name: 'Ben', side: 'customer', talkMs: 60_000, share: 0.75 },
        ...{ longestMs: 30_000, longestStartMs: 5000 },
      },
    ],
    isPartial: false,
  },
};
const item = (title: string, completedAt: string | null) => ({
  ...{ id: someId(title.length), callId: call.id, title, completedAt, completedBy: null },
  ...{ priority: 'medium', confidence: 1, description: '', owner: 'Ada', due: null, dueOn: null },
  ...{ assigneeId: null, isGenerated: true, isEdited: false },
});
const items = {
  actionItems: [item('Send the exporter', null), item('Old news', '2026-03-04T10:07:00Z')],
  generatedAt: null,
  analyzer: null,
};

function open(answer: object) {
  fakeServer({ [`GET ${at}/insights`]: answer, [`GET ${at}/action-items`]: items });
  return show(<CallInsights call={call} />, { path: `/app/calls/${call.id}` });
}

test('each statement links to its second of the call or its line of the notes', async () => {
  open(ready);
  expect(await screen.findByText('The export failed.')).toBeTruthy();
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  const page = `/app/calls/${call.id}`;
  expect(links).toEqual([`${page}?t=65`, `${page}#note-2`, `${page}?t=65`, `${page}?t=5`]);
  expect(screen.getByText('Analyzed by OpenAI (large).')).toBeTruthy();
});

test('the draft of an email has kept statements and open action items only', async () => {
  const { by } = open(ready);
  await by.click(await screen.findByRole('button', { name: 'Draft follow-up email' }));
  const draft = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
  expect(draft.value).toContain('- The export failed.');
  expect(draft.value).toContain('- Send the exporter (Ada)');
  expect(draft.value).not.toContain('Old news');
});

test.each([
  ['none', 'This call has no summary yet.'],
  ['working', 'Creating the summary. This can take a minute.'],
  ['failed', 'The summary couldn’t be created. Please try again.'],
])('the state %s is said in a sentence', async (state, sentence) => {
  open({ state, insights: null, analyzer: null, generatedAt: null });
  expect(await screen.findByText(sentence)).toBeTruthy();
});

test('a summary that is made after the call’s end appears, and its action items are read again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const none = { state: 'none', insights: null, analyzer: null, generatedAt: null };
  let answer: object = none;
  const asked = fakeServer({
    [`GET ${at}/insights`]: () => answer,
    [`GET ${at}/action-items`]: items,
  });
  const justEnded = { ...call, endedAt: new Date(Date.now() - 30_000).toISOString() };
  const page = (
    <>
      <CallInsights call={justEnded} />
      <ActionItems callId={call.id} />
    </>
  );
  show(page, { path: `/app/calls/${call.id}` });
  expect(await screen.findByText('This call has no summary yet.')).toBeTruthy();
  const readItems = () => asked.filter(({ path }) => path.endsWith('/action-items')).length;
  await waitFor(() => expect(readItems()).toBe(1));
  answer = ready;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await screen.findByText('The export failed.')).toBeTruthy();
  await waitFor(() => expect(readItems()).toBe(2));
});

test('a summary that is there already has no action items read again', async () => {
  const asked = fakeServer({ [`GET ${at}/insights`]: ready, [`GET ${at}/action-items`]: items });
  const page = (
    <>
      <ActionItems callId={call.id} />
      <CallInsights call={call} />
    </>
  );
  show(page, { path: `/app/calls/${call.id}` });
  expect(await screen.findByText('The export failed.')).toBeTruthy();
  expect(await screen.findByText('Send the exporter')).toBeTruthy();
  expect(asked.filter(({ path }) => path.endsWith('/action-items'))).toHaveLength(1);
});

test('long after a call’s end, a missing summary is not asked for again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const asked = fakeServer({
    [`GET ${at}/insights`]: { state: 'none', insights: null, analyzer: null, generatedAt: null },
  });
  const old = { ...call, endedAt: new Date(Date.now() - 600_000).toISOString() };
  show(<CallInsights call={old} />, { path: `/app/calls/${call.id}` });
  expect(await screen.findByText('This call has no summary yet.')).toBeTruthy();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(1);
});
