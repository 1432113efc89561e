import { z } from 'zod';
import { speechModelName } from '#domain/speech-models/contract.ts';
import { blankIsUnset, when } from '#server/providers/setting.ts';

export const speechSettings = {
  SPEECH_PROVIDER: z
    .enum(['off', 'openai-compatible', 'deepgram', 'local'])
    .default('off')
    .describe(
      'Service that turns speech into text: off, openai-compatible (any server with /v1/audio/transcriptions, such as whisper.cpp, speaches or vLLM), deepgram, or local (a model on this server, which admins fetch under Settings, AI). It receives the audio of those who agreed.',
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
    'Model of the speech service; for local, the name of the only one that may be used. Unset: whisper-1, nova-3 for Deepgram, and for local the first that is ready.',
  ),
  SPEECH_STREAMING: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether Deepgram gets speech while it is spoken (on), so that captions appear word by word, or each phrase when it has ended (off). Deepgram may price the two differently.',
    ),
};
export type SpeechSettings = {
  SPEECH_PROVIDER: 'off' | 'openai-compatible' | 'deepgram' | 'local';
  SPEECH_URL?: string | undefined;
  SPEECH_KEY?: string | undefined;
  SPEECH_MODEL?: string | undefined;
  SPEECH_STREAMING?: 'on' | 'off' | undefined;
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
  if (provider === 'local' && model && !speechModelName.safeParse(model).success) {
    return 'SPEECH_MODEL: give the name of a described model, or unset it to use the first that is ready.';
  }
  if (provider === 'deepgram' && !key) return 'SPEECH_KEY: deepgram needs a key of its API.';
  return null;
}
