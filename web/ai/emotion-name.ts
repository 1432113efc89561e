import { type TextKey, t } from '#web/platform/texts.ts';

const names: Record<string, TextKey> = {
  enthusiasm: 'ai.emotions.enthusiasm',
  satisfaction: 'ai.emotions.satisfaction',
  gratitude: 'ai.emotions.gratitude',
  trust: 'ai.emotions.trust',
  relief: 'ai.emotions.relief',
  frustration: 'ai.emotions.frustration',
  anger: 'ai.emotions.anger',
  disappointment: 'ai.emotions.disappointment',
  worry: 'ai.emotions.worry',
  confusion: 'ai.emotions.confusion',
};

/** Returns the built-in analyzer's emotions in the reader's language; a model's emotions unchanged. */
export function emotionName(emotion: string): string {
  const key = names[emotion];
  return key ? t(key) : emotion;
}
