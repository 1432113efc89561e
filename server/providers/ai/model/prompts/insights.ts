import { sharedRules } from './shared.ts';

export const insightsPrompt = {
  version: 1,
  instructions: `${sharedRules}

Summarize this call, or this part of it, for colleagues who were not there. "summary": at most seven points, the most important first: decisions, problems, numbers, what changes. "topics": at most eight subjects that were discussed, two to five words each. "questions": the questions that were asked about the matter, not politeness; "isOpen" is true if the call does not answer the question; "askedBy" is the speaker's name.`,
};
