import type { ActionItem, Sentiment, Suggestion } from '#domain/ai/contract.ts';
import {
  actionItemsQuestion,
  coachingQuestion,
  sentimentQuestion,
} from '#server/providers/ai/model/questions.ts';
import { type Analyzed, type Asking, analyze } from './ask-model.ts';

/** @throws AnalyzerError */
export const readSentiment = (asking: Asking): Promise<Analyzed<Sentiment>> =>
  analyze(asking, sentimentQuestion, () => asking.services.ai.readSentiment(asking.conversation));

/** @throws AnalyzerError */
export const suggest = (asking: Asking): Promise<Analyzed<Suggestion[]>> =>
  analyze(asking, coachingQuestion, () => asking.services.ai.suggest(asking.conversation));

/** @throws AnalyzerError */
export const findActionItems = (asking: Asking): Promise<Analyzed<ActionItem[]>> =>
  analyze(
    asking,
    actionItemsQuestion,
    () => asking.services.ai.findActionItems(asking.conversation),
    (parts) => parts.flat(),
  );
