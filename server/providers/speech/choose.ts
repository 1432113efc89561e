import { deepgram } from './deepgram/deepgram.ts';
import { localModel } from './local/local-model.ts';
import { describedModels, fetchedAt } from './local/model.ts';
import { openAiCompatible } from './openai-compatible.ts';
import type { SpeechChoice, SpeechService } from './port.ts';
import type { SpeechSettings } from './settings.ts';

const deepgramApi = 'https://api.deepgram.com/v1';

/** Returns the configured speech service. */
export function chooseSpeech(settings: SpeechSettings & { DATA_DIR: string }): SpeechChoice {
  const { SPEECH_PROVIDER, SPEECH_URL, SPEECH_KEY, SPEECH_MODEL, DATA_DIR } = settings;
  if (SPEECH_PROVIDER === 'local') return readyModel(DATA_DIR, SPEECH_MODEL);
  if (SPEECH_PROVIDER === 'deepgram' && SPEECH_KEY) {
    return always(
      deepgram(
        { url: SPEECH_URL ?? deepgramApi, key: SPEECH_KEY, model: SPEECH_MODEL ?? 'nova-3' },
        settings.SPEECH_STREAMING !== 'off',
      ),
    );
  }
  if (SPEECH_PROVIDER === 'openai-compatible' && SPEECH_URL) {
    return always(
      openAiCompatible({
        url: SPEECH_URL,
        key: SPEECH_KEY ?? null,
        model: SPEECH_MODEL ?? 'whisper-1',
      }),
    );
  }
  return always(null);
}

const always = (service: SpeechService | null): SpeechChoice => ({ current: () => service });

/**
 * Chooses the model that has been there the longest, so that an organization that fetches another one does not change
 * what all organizations are transcribed with.
 */
function readyModel(dataDir: string, only: string | undefined): SpeechChoice {
  const services = new Map<string, SpeechService>();
  return {
    current() {
      const { models } = describedModels(dataDir, only);
      const [ready] = models
        .map((model) => ({
          name: model.name,
          at: fetchedAt(dataDir, model) ?? Number.POSITIVE_INFINITY,
        }))
        .filter(({ at }) => Number.isFinite(at))
        .toSorted((a, b) => a.at - b.at);
      if (!ready) return null;
      const service = services.get(ready.name) ?? localModel(dataDir, ready.name);
      services.set(ready.name, service);
      return service;
    },
  };
}
