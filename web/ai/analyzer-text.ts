import '#web/platform/call-texts.ts';
import '#web/platform/player-texts.ts';
import type { Analyzer } from '#domain/ai/contract.ts';
import { type TextKey, t } from '#web/platform/texts.ts';

const names: Record<string, TextKey> = {
  offline: 'assistant.names.offline',
  anthropic: 'assistant.names.anthropic',
  openai: 'assistant.names.openai',
  compatible: 'assistant.names.compatible',
};

/** Returns the name of an analyzer for people. */
export function analyzerName(id: string): string {
  const key = names[id];
  return key ? t(key) : id;
}

/** Returns the sentence that tells who analyzed a call, and why it was not the chosen model. */
export function analyzerText({ name, offline, model, insteadOf }: Analyzer): string {
  if (insteadOf === 'budget') return t('assistant.budget');
  if (insteadOf === 'failed') return t('assistant.instead');
  if (offline) return t('ai.offline');
  if (model === undefined) return t('ai.model', { name: analyzerName(name) });
  return t('assistant.model', { name: analyzerName(name), model });
}
