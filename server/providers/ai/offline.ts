import { z } from 'zod';
import { actionItem, sentiment, suggestion } from '#domain/ai/contract.ts';
import type { Task } from './offline/tasks.ts';
import { AnalyzerThread } from './offline/thread.ts';
import type { Conversation, ConversationAnalyzer, OpenThread } from './port.ts';

/**
 * The built-in analyzer: word lists with values, and rules, in a separate thread. It sends nothing
 * anywhere, and each answer identifies it as offline.
 */
export function offlineAnalyzer(openThread: OpenThread): ConversationAnalyzer {
  const thread = new AnalyzerThread(openThread);
  const ask = (what: Task['what'], { orgId, ...conversation }: Conversation) =>
    thread.run(orgId, { what, conversation });
  return {
    analyzer: { name: 'offline', offline: true },
    readSentiment: async (given) => sentiment.parse(await ask('sentiment', given)),
    suggest: async (given) => z.array(suggestion).parse(await ask('coaching', given)),
    findActionItems: async (given) => z.array(actionItem).parse(await ask('action items', given)),
  };
}
