import { openModel } from './model/open-model.ts';
import { modelsOf } from './model/settings.ts';
import type { LanguageModel } from './port.ts';

type Given = Parameters<typeof modelsOf>[0];

/** The models that the operator configured, and what organizations use that have not chosen. */
export interface ConfiguredModels {
  models: readonly LanguageModel[];
  /** The id of one of them, or `offline`. */
  standard: string;
}

/** Returns the configured models. The built-in analyzer is always there beside them. */
export function chooseModels(given: Given): ConfiguredModels {
  const models = modelsOf(given).map(openModel);
  return { models, standard: given.AI_PROVIDER ?? models[0]?.id ?? 'offline' };
}
