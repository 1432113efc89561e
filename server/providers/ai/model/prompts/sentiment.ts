import { sharedRules } from './shared.ts';

export const sentimentPrompt = {
  version: 1,
  instructions: `${sharedRules}

Tell the customer's mood now, from their words only. "overallSentiment": -1 (angry, leaving) to 1 (delighted); concerns count more than praise and politeness. "confidence": 0 to 1. "keyEmotions": those that the words show. "concernsDetected": whether the customer raised a concern that is not settled. "cites": the lines that show it, the most telling first.`,
};
