import { offlineAnalyzer } from './offline.ts';
import type { ConversationAnalyzer, OpenThread } from './port.ts';

/** Returns the configured analyzer. The built-in one is the only one yet. */
export const chooseAnalyzer = (openThread: OpenThread): ConversationAnalyzer =>
  offlineAnalyzer(openThread);
