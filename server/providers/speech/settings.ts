import { z } from 'zod';
import { blankIsUnset, when } from '#server/providers/setting.ts';
import { modelName } from './local/model.ts';

export const speechSettings = {
  SPEECH_PROVIDER: z
    .enum(['off', 'openai-compatible', 'deepgram', 'local'])
    .default('off')
    .describe(
      'Service that turns speech into text: off, openai-compatible (any server with /v1/audio/transcriptions, such as whisper.cpp, speaches or vLLM), deepgram, or local (a model on this server, which npm run admin -- fetch-model has fetched). It receives the audio of those who agreed.',
    ),
  SPEECH_URL: when(
    (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    'give an address like http://127.0.0.1:8000/v1',
  )
    .transform((value) => value?.replace(/\/+$/, ''))
    .describe(
      'Address of the speech service’s API, with its version, e.g. http://127.0.0.1:8000/v1. Private addresses are allowed. Deepgram’s own if unset.',
    ),
  SPEECH_KEY: blankIsUnset.describe(
    'Key of the speech service’s API. Local servers often need none.',
  ),
  SPEECH_MODEL: blankIsUnset.describe(
    'Model of the speech service; for local, the name of the fetched one. Unset: whisper-1, and nova-3 for Deepgram.',
  ),
};
export type SpeechSettings = {
  SPEECH_PROVIDER: 'off' | 'openai-compatible' | 'deepgram' | 'local';
  SPEECH_URL?: string | undefined;
  SPEECH_KEY?: string | undefined;
  SPEECH_MODEL?: string | undefined;
};

/** Returns what is missing in the settings of the speech service, as a sentence; null if nothing is. */
export function missingOfSpeech(settings: SpeechSettings): string | null {
  const { SPEECH_PROVIDER: provider, SPEECH_URL: url, SPEECH_KEY: key } = settings;
  const { SPEECH_MODEL: model } = settings;
  if (provider === 'off' && (url || key)) {
    return 'SPEECH_PROVIDER: set openai-compatible or deepgram, or unset SPEECH_URL and SPEECH_KEY.';
  }
  if (provider === 'openai-compatible' && !url) {
    return 'SPEECH_URL: openai-compatible needs the address of its API, e.g. http://127.0.0.1:8000/v1.';
  }
  if (provider === 'local' && !modelName.safeParse(model).success) {
    return 'SPEECH_MODEL: local needs the name of a model that npm run admin -- fetch-model has fetched.';
  }
  if (provider === 'deepgram' && !key) return 'SPEECH_KEY: deepgram needs a key of its API.';
  return null;
}
