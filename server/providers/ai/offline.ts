import { z } from 'zod';
import { actionItem, sentiment, suggestion } from '#domain/ai/contract.ts';
import { sourcesOf, textOf } from './citable-lines.ts';
import type { Task } from './offline/tasks.ts';
import { AnalyzerThread } from './offline/thread.ts';
import type { BuiltInAnalyzer, Conversation, OpenThread } from './port.ts';
import { questionsOf } from './questions-of-turns.ts';

const foundItems = z.array(z.object({ item: actionItem, linesAfter: z.int().min(0) }));

/**
 * The built-in analyzer: word lists with values, and rules, in a separate thread. It sends nothing
 * anywhere, and each answer identifies it as offline.
 */
export function offlineAnalyzer(openThread: OpenThread): BuiltInAnalyzer {
  const thread = new AnalyzerThread(openThread);
  const ask = (what: Task['what'], given: Conversation) => {
    const { openItems, isOver, calledAt, timeZone } = given;
    const conversation = { text: textOf(given), openItems, isOver, calledAt, timeZone };
    return thread.run(given.orgId, { what, conversation });
  };
  return {
    analyzer: { name: 'offline', offline: true },
    readSentiment: async (given) => sentiment.parse(await ask('sentiment', given)),
    suggest: async (given) => z.array(suggestion).parse(await ask('coaching', given)),
    findActionItems: async (given) => {
      const found = foundItems.parse(await ask('action items', given));
      const sources = sourcesOf(
        given,
        found.map(({ linesAfter }) => linesAfter),
      );
      return found.map(({ item }, n) => ({ ...item, source: sources[n] ?? null }));
    },
    findQuestions: ({ turns }) => questionsOf(turns),
  };
}
