import type { Sentiment } from '#domain/ai/contract.ts';
import { concernLines } from './concerns.ts';
import { keyEmotions } from './emotions.ts';
import { readSentences } from './language.ts';
import { readUtterances } from './utterances.ts';
import { readValence } from './valence.ts';

/** Compresses a sum to -1 … 1: four points, as of two strong words, become 0.7. */
const bend = 15;
/** A sentence without rated words counts as a quarter of one with them. */
const neutralShare = 0.25;

/** Returns the sentiment of a conversation, from the words of its sentences. */
export function sentimentOf(text: string): Sentiment {
  const utterances = readUtterances(text);
  const sentences = utterances.flatMap((said) => readSentences(said.text).map(readValence));
  const telling = sentences.filter(({ hits }) => hits.length > 0);
  const good = telling.reduce((sum, sentence) => sum + sentence.good, 0);
  const bad = telling.reduce((sum, sentence) => sum + sentence.bad, 0);
  const count = telling.length + neutralShare * (sentences.length - telling.length);
  const sum = (good + bad) / Math.sqrt(Math.max(1, count));
  const overallSentiment = rounded(sum / Math.sqrt(sum * sum + bend));
  return {
    overallSentiment,
    confidence: confidenceOf(good, bad),
    keyEmotions: keyEmotions(telling.flatMap(({ hits }) => hits)),
    concernsDetected: overallSentiment < -0.3 || concernLines(utterances).length > 0,
    supported: true,
    evidence: [],
  };
}

/**
 * Much evidence in one direction gives high confidence; little or balanced evidence gives low
 * confidence.
 */
function confidenceOf(good: number, bad: number): number {
  const evidence = good - bad;
  if (evidence === 0) return 0.2;
  const amount = 1 - Math.exp(-evidence / 5);
  const agreement = Math.abs(good + bad) / evidence;
  return rounded(0.25 + 0.7 * amount * (0.4 + 0.6 * agreement));
}

const rounded = (value: number) => Math.round(value * 100) / 100 || 0;
