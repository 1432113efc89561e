import type { z } from 'zod';
import { SpeechError, type SpeechFailure } from './port.ts';

/** For a phrase of 15 seconds on a slow local model. */
const timeoutMs = 20_000;
const mostAnswerBytes = 256 * 1024;

interface Asked {
  headers: Record<string, string>;
  body: FormData | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
}

/**
 * Posts audio to a speech service and parses its answer. Its address is the operator's, like that of the
 * database: local models are on private addresses, which the guarded fetch for addresses of users refuses. A
 * redirect is not followed, because it would take the key and the audio elsewhere.
 * @throws SpeechError
 */
export async function askService<Schema extends z.ZodType>(
  url: string,
  schema: Schema,
  { headers, body, signal }: Asked,
): Promise<z.infer<Schema>> {
  const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  let text: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: ended,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new SpeechError(
        failureOf(response.status),
        `The speech service answered ${response.status}`,
      );
    }
    text = await readBounded(response);
  } catch (error) {
    if (error instanceof SpeechError) throw error;
    const isLate = ended.aborted && !signal?.aborted;
    throw isLate
      ? new SpeechError('timeout', `The speech service took more than ${timeoutMs} ms`)
      : new SpeechError('unreachable', 'The speech service could not be reached', { cause: error });
  }
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new SpeechError('malformed', 'The speech service’s answer has no transcript');
}

/** Returns which failure an answer of this HTTP status is. */
export function failureOf(status: number): SpeechFailure {
  if (status === 429 || status === 503) return 'busy';
  if (status === 408) return 'timeout';
  return status >= 500 ? 'failed' : 'refused';
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostAnswerBytes) {
      throw new SpeechError('malformed', 'The speech service’s answer is too long');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
