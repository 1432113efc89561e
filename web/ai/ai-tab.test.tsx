// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { callId } from '#domain/ids.ts';
import AiTab from '#web/ai/ai-tab.tsx';
import { LiveAnalysis } from '#web/ai/live-analysis.ts';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';
import { shownToasts } from '#web/ui/toast-store.ts';

const analyzer = { name: 'offline', offline: true };
const mood = (overallSentiment: number, more = {}) => ({
  overallSentiment,
  confidence: 0.824,
  keyEmotions: ['frustration'],
  concernsDetected: true,
  supported: true,
  evidence: ['They are fed up'],
  analyzer,
  ...more,
});
const advice = (priority: string) => ({
  priority,
  type: 'objection',
  suggestion: `Do this, ${priority}`,
  context: 'Ben: too expensive',
});
const item = {
  priority: 'high',
  confidence: 0.9,
  title: 'Send the contract',
  description: 'Ada: I will send the contract by Friday.',
  owner: 'Ada',
  due: 'by Friday',
  dueOn: '2026-03-13',
};
const stored = {
  ...item,
  id: someId(70),
  callId: someId(50),
  assigneeId: null,
  completedAt: null,
  completedBy: null,
  isGenerated: true,
  isEdited: false,
};
const unnamed = { ...item, title: 'Call back', owner: 'me', due: 'by Easter', dueOn: null };
const storedUnnamed = { ...stored, ...unnamed, id: someId(71) };
const serve = (sentiment: object, more = {}) =>
  fakeServer({
    'POST /api/ai/analyze-sentiment': sentiment,
    'POST /api/ai/generate-coaching': {
      suggestions: ['high', 'medium', 'low'].map(advice),
      analyzer,
    },
    'POST /api/ai/generate-action-items': { actionItems: [item, unnamed], analyzer },
    [`GET /api/calls/${someId(50)}/action-items`]: {
      actionItems: [stored, storedUnnamed],
      generatedAt: '2026-03-04T10:00:00Z',
      analyzer,
    },
    ...more,
  });

function open(text: string, mayAnalyze = true) {
  const analysis = new LiveAnalysis({
    callId: callId.parse(someId(50)),
    roomTopic: 'Kick-off',
    playbookTitle: 'Onboarding',
    readText: () => text,
    transcribed: () => 0,
  });
  return show(<AiTab analysis={mayAnalyze ? analysis : null} mayAnalyze={mayAnalyze} />);
}
const press = (by: ReturnType<typeof open>['by']) =>
  by.click(screen.getByRole('button', { name: 'Analyze' }));

test('with empty text Analyze shows the toast No Content and sends no text', async () => {
  const nothing = { sentiment: null, suggestions: null, analyzer: null };
  const asked = serve(mood(0), { [`POST /api/calls/${someId(50)}/analysis`]: nothing });
  const { by } = open('   ');
  await press(by);
  expect((await screen.findAllByText('No Content')).length).toBeGreaterThan(0);
  expect(
    screen.getAllByText('Add some conversation text to analyze by typing in the Notes tab').length,
  ).toBeGreaterThan(0);
  expect(asked.filter(({ path }) => path.startsWith('/api/ai/'))).toEqual([]);
});

test.each([
  [0.31, 'Positive'],
  [0.3, 'Neutral'],
  [-0.3, 'Neutral'],
  [-0.31, 'Negative'],
])('a sentiment of %s is labeled %s', async (value, label) => {
  serve(mood(value));
  const { by } = open('Some notes');
  await press(by);
  const section = within(await screen.findByRole('region', { name: 'Sentiment' }));
  expect(section.getByText(label)).toBeTruthy();
});

test('sentiment, coaching and action items are shown, with a note that the offline analyzer answered', async () => {
  serve(mood(-0.6));
  const { by } = open('Some notes');
  await press(by);
  const sentiment = within(await screen.findByRole('region', { name: 'Sentiment' }));
  expect(screen.queryByText(/%/), 'no percentage that is not calibrated').toBe(null);
  expect(sentiment.getByText('They are fed up')).toBeTruthy();
  expect(sentiment.getByText('frustration')).toBeTruthy();
  expect(sentiment.getByText('Concerns detected')).toBeTruthy();
  const coaching = within(screen.getByRole('region', { name: 'Coaching suggestions' }));
  expect(coaching.getAllByText('Ben: too expensive').length).toBe(3);
  expect(
    coaching.getAllByRole('img').map((mark) => [mark.getAttribute('aria-label'), mark.className]),
  ).toEqual([
    ['High priority', expect.stringContaining('bg-red')],
    ['Medium priority', expect.stringContaining('bg-yellow')],
    ['Low priority', expect.stringContaining('bg-green')],
  ]);
  const items = within(screen.getByRole('region', { name: 'Action items' }));
  expect(await items.findAllByText(item.description)).toHaveLength(2);
  for (const text of [item.title, 'Ada', 'Fri, Mar 13', 'Note taker', 'by Easter'])
    expect(items.getByText(text)).toBeTruthy();
  expect(screen.getByText(/Analyzed on your own server/)).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('Negative. 3 suggestions');
});

test('for a language that cannot be read one sentence is shown, without label, number or mark', async () => {
  const unread = { keyEmotions: [], concernsDetected: false, confidence: 0, evidence: [] };
  serve(mood(0, { ...unread, supported: false }), {
    'POST /api/ai/generate-coaching': { suggestions: [], analyzer },
    'POST /api/ai/generate-action-items': { actionItems: [], analyzer },
  });
  const { by } = open('ノート');
  await press(by);
  expect(await screen.findByText(/^We can’t read this language yet\./)).toBeTruthy();
  for (const text of [/^(?:Positive|Neutral|Negative)$/, /concerns/i, /%/])
    expect(screen.queryByText(text)).toBe(null);
  for (const name of ['Sentiment', 'Coaching suggestions'])
    expect(screen.queryByRole('region', { name })).toBe(null);
  expect(screen.getByRole('status').textContent).toBe('Language not supported. 0 suggestions');
});

test('a failure is logged and shows no toast; results of the other requests are shown', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  serve(mood(0.9), { 'POST /api/ai/generate-coaching': () => refusal(500, { message: 'Down' }) });
  const { by } = open('Some notes');
  await press(by);
  expect(await screen.findByText('Positive')).toBeTruthy();
  expect(screen.queryByText('Down')).toBe(null);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

test('if all requests fail the tab shows one line of text, and no toast', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeServer({});
  const { by } = open('Some notes');
  await press(by);
  expect(await screen.findByText(/^Couldn’t update\./)).toBeTruthy();
  expect(shownToasts().filter((toast) => toast.open)).toEqual([]);
  expect(logged).toHaveBeenCalledTimes(3);
  logged.mockRestore();
});

test('a viewer sees the tab without a button', () => {
  open('Some notes', false);
  expect(screen.getByText('To run an analysis, you need the agent role')).toBeTruthy();
  expect(screen.queryByRole('button')).toBe(null);
});
