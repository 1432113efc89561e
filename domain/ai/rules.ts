/** Spec section 9: how much conversation an analysis needs, and how much of it is sent. */
export const sentimentAfterCharacters = 100;
export const coachingAfterCharacters = 200;
export const actionItemsAfterCharacters = 500;
export const sentimentExcerptCharacters = 1000;
export const coachingExcerptCharacters = 1500;
export const sentimentEverySeconds = 30;
export const coachingEverySeconds = 45;

/** Returns the last `most` UTF-16 units, without a lone surrogate at the cut. */
export function lastCharacters(text: string, most: number): string {
  const cut = text.slice(-most);
  const first = cut.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? cut.slice(1) : cut;
}

export type SentimentLabel = 'Positive' | 'Neutral' | 'Negative';

/** Spec section 9: above 0.3 Positive, below -0.3 Negative, otherwise Neutral. */
export function sentimentLabel(overallSentiment: number): SentimentLabel {
  if (overallSentiment > 0.3) return 'Positive';
  return overallSentiment < -0.3 ? 'Negative' : 'Neutral';
}
