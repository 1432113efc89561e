import { z } from 'zod';
import { askService } from './ask-service.ts';
import type { SpeechService } from './port.ts';

interface Access {
  /** With the version, such as `http://127.0.0.1:8000/v1`. */
  url: string;
  key: string | null;
  model: string;
}

// Servers differ in all fields but this one, and `ai` refuses those that leave fields out.
const answer = z.object({
  text: z.string(),
  language: z.string().max(40).nullish().catch(null),
});

/** OpenAI's `POST /v1/audio/transcriptions`, which whisper.cpp, speaches, and vLLM speak, too. */
export function openAiCompatible({ url, key, model }: Access): SpeechService {
  return {
    kind: 'openai-compatible',
    recognizer: `openai-compatible/${model}`,
    host: new URL(url).host,
    async recognize({ wav }, signal) {
      const body = new FormData();
      body.append('model', model);
      body.append('response_format', 'json');
      body.append('temperature', '0');
      const file = new Blob([new Uint8Array(wav)], { type: 'audio/wav' });
      body.append('file', file, 'phrase.wav');
      const { text, language } = await askService(`${url}/audio/transcriptions`, answer, {
        headers: key ? { authorization: `Bearer ${key}` } : {},
        body,
        ...(signal && { signal }),
      });
      return { text: text.trim(), language: language ?? null };
    },
  };
}
