import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { actionItem, sentiment, suggestion } from '#domain/ai/contract.ts';
import { orgId } from '#domain/ids.ts';
import { openSharedThread } from '#server/platform/shared-thread.ts';
import { offlineAnalyzer } from './offline.ts';
import type { Conversation, ConversationAnalyzer } from './port.ts';

/** The behavior required of every analyzer. Add further ones here. */
const kinds: [string, () => ConversationAnalyzer][] = [
  ['offline', () => offlineAnalyzer(openSharedThread)],
];

const conversation = (text: string, more: Partial<Conversation> = {}): Conversation => ({
  orgId: orgId.parse(randomUUID()),
  text,
  storedNotes: text,
  turns: [],
  roomTopic: 'Kick-off',
  playbookTitle: null,
  openItems: [],
  isOver: false,
  calledAt: '2026-03-10T14:00:00Z',
  timeZone: 'Europe/Berlin',
  ...more,
});

describe.each(kinds)('the %s analyzer', (name, open) => {
  const analyzer = open();

  test('names itself in its answers', () => {
    expect(analyzer.analyzer.name).toBe(name);
  });

  test('distinguishes positive from negative sentiment', async () => {
    const good = await analyzer.readSentiment(
      conversation('We love it, everything works perfectly and the support is great.'),
    );
    const bad = await analyzer.readSentiment(
      conversation('It is terrible. Nothing works, and we want our money back.'),
    );
    expect(sentiment.parse(good).overallSentiment).toBeGreaterThan(0.3);
    expect(sentiment.parse(bad).overallSentiment).toBeLessThan(-0.3);
    expect(good.concernsDetected).toBe(false);
    expect(bad.concernsDetected).toBe(true);
  });

  test('returns suggestions, most urgent first, and quotes the line that caused each', async () => {
    const line = 'Ben: We are thinking of cancelling our contract.';
    const found = await analyzer.suggest(conversation(`Ada: How are you?\n${line}`));
    expect(z.array(suggestion).parse(found)[0]).toMatchObject({ priority: 'high', context: line });
  });

  test('finds commitments, and none where there are none', async () => {
    const found = await analyzer.findActionItems(
      conversation('Ada: I will send you the slides tomorrow.\nBen: Thank you.'),
    );
    expect(z.array(actionItem).parse(found)).toHaveLength(1);
    expect(await analyzer.findActionItems(conversation('Nice weather today.'))).toEqual([]);
  });

  test('answers concurrent tasks, each with its own answer', async () => {
    const answers = await Promise.all(
      ['great', 'terrible', 'great', 'terrible'].map((word) =>
        analyzer.readSentiment(conversation(`This is ${word}.`)),
      ),
    );
    expect(answers.map(({ overallSentiment }) => overallSentiment > 0)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('reads a long conversation without blocking the program', async () => {
    let turns = 0;
    const clock = setInterval(() => {
      turns += 1;
    }, 5);
    const text = 'Ada: I will send it by Friday, and we are not happy with it.\n'.repeat(3000);
    const found = await analyzer.findActionItems(conversation(text));
    clearInterval(clock);
    expect(found.length).toBeGreaterThan(0);
    expect(turns, 'timers ran meanwhile').toBeGreaterThan(5);
  });
});
