import { z } from 'zod';
import { actionItem, sentiment, suggestion } from '#domain/ai/contract.ts';
import type { Task } from './offline/tasks.ts';
import { AnalyzerThread } from './offline/thread.ts';
import type { Conversation, ConversationAnalyzer, OpenThread } from './port.ts';

/**
 * Our own analyzer: words, their values and rules, in a thread of its own, nothing sent anywhere. It
 * says in each answer that it is one.
 */
export function offlineAnalyzer(openThread: OpenThread): ConversationAnalyzer {
  const thread = new AnalyzerThread(openThread);
  const ask = (what: Task['what'], { orgId, text, openItems, isOver }: Conversation) =>
    thread.run(orgId, { what, conversation: { text, openItems, isOver } });
  return {
    analyzer: { name: 'offline', offline: true },
    readSentiment: async (given) => sentiment.parse(await ask('sentiment', given)),
    suggest: async (given) => z.array(suggestion).parse(await ask('coaching', given)),
    findActionItems: async (given) => z.array(actionItem).parse(await ask('action items', given)),
  };
}
