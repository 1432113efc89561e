import { offlineAnalyzer } from './offline.ts';
import type { ConversationAnalyzer } from './port.ts';

/** Our own analyzer; companies' models join here by configuration. */
export const chooseAnalyzer = (): ConversationAnalyzer => offlineAnalyzer();
