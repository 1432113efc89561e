import { z } from 'zod';
import { actionItem, sentiment, suggestion } from '#domain/ai/contract.ts';
import { AnalyzerThread } from './offline/thread.ts';
import type { Conversation, ConversationAnalyzer } from './port.ts';

/**
 * Our own analyzer: words, their values and rules, in a thread of its own, nothing sent anywhere. It
 * says in each answer that it is one.
 */
export function offlineAnalyzer(): ConversationAnalyzer {
  const thread = new AnalyzerThread();
  const about = ({ text, openItems, isOver }: Conversation) => ({ text, openItems, isOver });
  return {
    analyzer: { name: 'offline', offline: true },
    readSentiment: async (given) => sentiment.parse(await thread.run('sentiment', about(given))),
    suggest: async (given) => z.array(suggestion).parse(await thread.run('coaching', about(given))),
    findActionItems: async (given) =>
      z.array(actionItem).parse(await thread.run('action items', about(given))),
  };
}
