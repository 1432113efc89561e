import type { Config } from '#server/config.ts';
import { describedModels, type SpeechModel } from '#server/providers/speech/local/model.ts';

/** Returns the models that admins may have fetched: none, unless the operator has chosen local ones. */
export function offeredModels({ SPEECH_PROVIDER, SPEECH_MODEL, DATA_DIR }: Config): SpeechModel[] {
  return SPEECH_PROVIDER === 'local' ? describedModels(DATA_DIR, SPEECH_MODEL).models : [];
}
