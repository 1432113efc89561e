import { deepgram } from './deepgram.ts';
import { localModel } from './local/local-model.ts';
import { fetchedModel } from './local/model.ts';
import { openAiCompatible } from './openai-compatible.ts';
import type { SpeechService } from './port.ts';
import type { SpeechSettings } from './settings.ts';

const deepgramApi = 'https://api.deepgram.com/v1';

/**
 * Returns the configured speech service; null without one, or while a local model is not fetched: then nothing is
 * transcribed.
 */
export function chooseSpeech(
  settings: SpeechSettings & { DATA_DIR: string },
): SpeechService | null {
  const { SPEECH_PROVIDER, SPEECH_URL, SPEECH_KEY, SPEECH_MODEL } = settings;
  if (SPEECH_PROVIDER === 'deepgram' && SPEECH_KEY) {
    return deepgram({
      url: SPEECH_URL ?? deepgramApi,
      key: SPEECH_KEY,
      model: SPEECH_MODEL ?? 'nova-3',
    });
  }
  if (SPEECH_PROVIDER === 'openai-compatible' && SPEECH_URL) {
    return openAiCompatible({
      url: SPEECH_URL,
      key: SPEECH_KEY ?? null,
      model: SPEECH_MODEL ?? 'whisper-1',
    });
  }
  if (SPEECH_PROVIDER === 'local' && SPEECH_MODEL) {
    const { DATA_DIR } = settings;
    return fetchedModel(DATA_DIR, SPEECH_MODEL) && localModel(DATA_DIR, SPEECH_MODEL);
  }
  return null;
}
