import { offlineAnalyzer } from './offline.ts';
import type { ConversationAnalyzer, OpenThread } from './port.ts';

/** Our own analyzer; companies' models join here by configuration. */
export const chooseAnalyzer = (openThread: OpenThread): ConversationAnalyzer =>
  offlineAnalyzer(openThread);
