import { sharedRules } from './shared.ts';

export const coachingPrompt = {
  version: 1,
  instructions: `${sharedRules}

Advise the team member who leads the call on what to say or do next, at most five suggestions, the most urgent first, each in one or two sentences. Every suggestion cites the line that it reacts to. Give none where none is needed. "openItems" are the points of the checklist that are not done yet.`,
};
