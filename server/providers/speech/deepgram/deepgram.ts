import { z } from 'zod';
import { askService } from '../ask-service.ts';
import type { SpeechService } from '../port.ts';
import type { DeepgramAccess } from './connection.ts';
import { DeepgramStream } from './stream.ts';
import { StreamPlaces } from './stream-places.ts';

const answer = z.object({
  results: z.object({
    channels: z
      .array(
        z.object({
          detected_language: z.string().max(40).nullish().catch(null),
          alternatives: z.array(z.object({ transcript: z.string() })).min(1),
        }),
      )
      .min(1),
  }),
});

/**
 * Deepgram: a stream for each speaker (`WebSocket /v1/listen`), and `POST /v1/listen` for phrases that no stream has
 * recognized. `mip_opt_out` keeps the audio out of Deepgram's training.
 */
export function deepgram(access: DeepgramAccess, isStreaming: boolean): SpeechService {
  const { url, key, model } = access;
  const query = new URLSearchParams({
    model,
    detect_language: 'true',
    smart_format: 'true',
    mip_opt_out: 'true',
  });
  const places = new StreamPlaces();
  return {
    kind: 'deepgram',
    recognizer: `deepgram/${model}`,
    host: new URL(url).host,
    async recognize({ wav }, signal) {
      const { results } = await askService(`${url}/listen?${query}`, answer, {
        headers: { authorization: `Token ${key}`, 'content-type': 'audio/wav' },
        body: new Uint8Array(wav),
        ...(signal && { signal }),
      });
      const [channel] = results.channels;
      return {
        text: channel?.alternatives[0]?.transcript.trim() ?? '',
        language: channel?.detected_language ?? null,
      };
    },
    ...(isStreaming && {
      openStream: (speaker) => new DeepgramStream(access, speaker, places),
    }),
  };
}
