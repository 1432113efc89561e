import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callId } from '#domain/ids.ts';
import { LiveAnalysis } from '#web/ai/live-analysis.ts';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';

const id = callId.parse('01890000-0000-7000-8000-000000000050');
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const analyzer = { name: 'offline', offline: true };
const sentiment = {
  overallSentiment: 0.6,
  confidence: 0.8,
  keyEmotions: ['trust'],
  concernsDetected: false,
  supported: true,
  evidence: [],
};
const answers = {
  'POST /api/ai/analyze-sentiment': { ...sentiment, analyzer },
  'POST /api/ai/generate-coaching': { suggestions: [], analyzer },
  'POST /api/ai/generate-action-items': { actionItems: [], analyzer },
};
const analysisPath = `POST /api/calls/${id}/analysis`;
const shared = { sentiment, suggestions: [], analyzer };
const regeneratePath = `POST /api/calls/${id}/action-items/generate`;
const list = { actionItems: [], generatedAt: null, analyzer };
let text: string;
let transcribed: number;
let analysis: LiveAnalysis;

beforeEach(() => {
  vi.useFakeTimers();
  text = '';
  transcribed = 0;
  analysis = new LiveAnalysis({
    callId: id,
    roomTopic: 'Kick-off',
    playbookTitle: null,
    readText: () => text,
    transcribed: () => transcribed,
  });
  analysis.start();
});
afterEach(() => {
  analysis.stop();
  vi.useRealTimers();
});

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);
const pathsOf = (asked: { path: string }[]) => asked.map(({ path }) => path.split('/').at(-1));

describe('while the call is active', () => {
  test('sentiment is requested every 30 s while the conversation is over 100 characters', async () => {
    const asked = fakeServer(answers);
    text = 'a'.repeat(100);
    await pass(60);
    expect(asked, '100 characters are not over 100').toEqual([]);
    text = 'a'.repeat(101);
    await pass(29);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/api/ai/analyze-sentiment',
        body: {
          callId: id,
          conversationText: text,
          roomTopic: 'Kick-off',
          playbookTitle: null,
          timeZone,
        },
      },
    ]);
    expect(analysis.getSnapshot()).toMatchObject({ sentiment, analyzer });
    text += 'b';
    await pass(30);
    expect(asked.length).toBe(2);
  });

  test('coaching is requested every 45 s while it is over 200 characters', async () => {
    const asked = fakeServer(answers);
    text = 'a'.repeat(200);
    await pass(45);
    expect(pathsOf(asked)).toEqual(['analyze-sentiment']);
    text = 'a'.repeat(201);
    await pass(44);
    expect(pathsOf(asked)).not.toContain('generate-coaching');
    await pass(1);
    expect(pathsOf(asked)).toContain('generate-coaching');
  });

  test('the last 1000 characters are sent for sentiment, the last 1500 for coaching', async () => {
    const asked = fakeServer(answers);
    text = `${'x'.repeat(2000)}${'y'.repeat(1200)}`;
    await pass(45);
    expect(asked.map(({ body }) => body)).toMatchObject([
      { conversationText: 'y'.repeat(1000) },
      { conversationText: `${'x'.repeat(300)}${'y'.repeat(1200)}` },
    ]);
  });

  test('a text that was already answered is not sent again', async () => {
    const asked = fakeServer(answers);
    text = 'a'.repeat(300);
    await pass(600);
    expect(pathsOf(asked)).toEqual(['analyze-sentiment', 'generate-coaching']);
  });

  test('a failure is only logged, shows no result as new, and is retried', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const asked = fakeServer({
      'POST /api/ai/analyze-sentiment': () => refusal(503, { message: 'Down' }),
    });
    text = 'a'.repeat(150);
    await pass(60);
    expect(asked.length).toBe(2);
    expect(logged).toHaveBeenCalledTimes(2);
    expect(analysis.getSnapshot()).toMatchObject({ sentiment: null, hasFailed: true });
    fakeServer(answers);
    await pass(30);
    expect(analysis.getSnapshot()).toMatchObject({ sentiment, hasFailed: false });
    logged.mockRestore();
  });
});

test('with a transcript, the timer asks about the call when more was said or typed, and sends no text', async () => {
  const asked = fakeServer({ ...answers, [analysisPath]: shared });
  transcribed = 40;
  await pass(45);
  expect(asked.map(({ body }) => body)).toEqual([
    { questions: ['sentiment'], isManual: false },
    { questions: ['coaching'], isManual: false },
  ]);
  expect(analysis.getSnapshot()).toMatchObject({ sentiment, suggestions: [], analyzer });
  await pass(180);
  expect(asked.length, 'nothing new').toBe(2);
  transcribed = 80;
  await pass(30);
  text = 'a note';
  await pass(60);
  expect(new Set(pathsOf(asked))).toEqual(new Set(['analysis']));
  expect(asked.length).toBeGreaterThan(4);
});

test('once stopped, it sends no more requests', async () => {
  const asked = fakeServer(answers);
  text = 'a'.repeat(500);
  analysis.stop();
  await pass(120);
  expect(asked).toEqual([]);
});

describe('a manual analysis', () => {
  test('sends all three requests immediately, however short the text', async () => {
    const asked = fakeServer(answers);
    text = 'Good.';
    expect(await analysis.analyze()).toBe(true);
    expect(pathsOf(asked)).toEqual([
      'analyze-sentiment',
      'generate-coaching',
      'generate-action-items',
    ]);
    expect(asked.at(-1)?.body).toMatchObject({ fullConversation: 'Good.', currentNotes: 'Good.' });
  });

  test('without text asks about the transcript, and says that there is nothing if there is none', async () => {
    const nothing = { sentiment: null, suggestions: null, analyzer: null };
    const asked = fakeServer({ ...answers, [analysisPath]: nothing });
    text = '  \n';
    expect(await analysis.analyze()).toBe(false);
    expect(pathsOf(asked)).toEqual(['analysis']);
    const again = fakeServer({ ...answers, [analysisPath]: shared, [regeneratePath]: list });
    expect(await analysis.analyze()).toBe(true);
    expect(pathsOf(again)).toEqual(['analysis', 'generate']);
    expect(again[0]?.body).toEqual({ questions: ['sentiment', 'coaching'], isManual: true });
    expect(analysis.getSnapshot()).toMatchObject({ sentiment, itemsAt: expect.any(Number) });
  });

  test('sends nothing more while the first requests are running', async () => {
    const asked = fakeServer(answers);
    text = 'Good.';
    await Promise.all([analysis.analyze(), analysis.analyze()]);
    expect(asked.length).toBe(3);
  });
});
