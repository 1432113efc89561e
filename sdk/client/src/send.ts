import { type RateLimit, rateLimitOf } from './answer-headers.ts';
import { errorOf, type RapportError } from './rapport-error.ts';

export interface ClientOptions {
  /** Where Rapport is, like `https://rapport.example.com`. */
  url: string;
  /** An API token, which begins with `rpt_`. */
  token: string;
  /** How often a request is sent again that got no answer, or one that says when to retry; 3 by default. */
  retries?: number;
  /** A request that would have to wait for longer is not sent again; 60 by default. */
  longestWaitSeconds?: number;
  /** Called with each answer. */
  onAnswer?: (answer: { status: number; rateLimit: RateLimit | null }) => void;
  /** In place of the global one. */
  fetch?: typeof fetch;
}

export interface SendOptions {
  /** Of a POST, whose key is random by default: use your own to repeat it later, from another process. */
  idempotencyKey?: string;
  /** The ETag of what was read (`etagOf`): a change is refused with 412 if it is another one meanwhile. */
  ifMatch?: string;
  signal?: AbortSignal;
}

/** Seconds before a request without an answer is sent again, and twice as long each further time. */
const firstWaitSeconds = 0.5;

/**
 * Sends a request, again while that makes sense: POSTs have an Idempotency-Key, and the other methods may run
 * twice. With If-Match, the second would be refused because of the first, so it is sent again after a 429 only.
 * @throws RapportError for a status of 400 or more
 */
export async function send(
  client: ClientOptions,
  url: URL,
  request: { method: string; body?: unknown },
  options: SendOptions,
): Promise<Response> {
  if (url.origin !== new URL(client.url).origin) {
    throw new TypeError(`The token is not sent to ${url.origin}`);
  }
  const init = initOf(client, request, options);
  const { retries = 3, longestWaitSeconds = 60 } = client;
  const mayRunTwice = options.ifMatch === undefined;
  for (let tried = 0; ; tried += 1) {
    const answer = await (client.fetch ?? fetch)(url, init).catch((error: unknown) => {
      if (tried >= retries || !mayRunTwice || options.signal?.aborted) throw error;
      return null;
    });
    let seconds = firstWaitSeconds * 2 ** tried;
    if (answer) {
      client.onAnswer?.({ status: answer.status, rateLimit: rateLimitOf(answer.headers) });
      if (answer.ok) return answer;
      const error = await errorOf(answer);
      seconds = error.retryAfterSeconds ?? seconds;
      const makesSense = mayRunTwice ? isPassing(error) : error.status === 429;
      if (tried >= retries || !makesSense || seconds > longestWaitSeconds) throw error;
    }
    await wait(seconds, options.signal);
  }
}

function initOf(
  { token }: ClientOptions,
  { method, body }: { method: string; body?: unknown },
  { idempotencyKey, ifMatch, signal }: SendOptions,
): RequestInit {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (method === 'POST') headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID();
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  if (body !== undefined) headers['content-type'] = 'application/json';
  return {
    method,
    headers,
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  };
}

/** Whether the same request can succeed later without a change. */
const isPassing = ({ status, code }: RapportError) =>
  status === 429 ||
  (status >= 502 && status <= 504) ||
  (status === 409 && code === 'idempotency_key_in_progress');

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
