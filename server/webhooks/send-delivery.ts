import { Webhook } from 'standardwebhooks';
import { DomainError } from '#domain/errors.ts';
import { retryAfterSeconds } from '#domain/webhooks/retries.ts';
import type { SafeFetch } from '#server/platform/safe-fetch.ts';

const timeoutMs = 15_000;
/** Of an answer; the rest is not read. */
const mostResponseBytes = 4096;

/** What became of an attempt. */
export interface Attempt {
  startedAt: Date;
  durationMs: number;
  status: number | null;
  /** `internal`: it could not be made. */
  failure: 'unreachable' | 'timeout' | 'private_target' | 'internal' | null;
  response: string | null;
  retryAfterSeconds: number | null;
}

interface WebhookRequest {
  /** The organization that named the address. */
  payer: string;
  url: string;
  body: string;
  headers: Record<string, string>;
}

interface Signed {
  /** Of the event: the same in each attempt, by which the receiver recognizes repetitions. */
  id: string;
  body: string;
  /** Each signs. */
  secrets: readonly string[];
}

/**
 * Sends a request to a public address. Redirects are not followed. Never throws for what
 * the receiver does.
 */
export async function send(fetch: SafeFetch, request: WebhookRequest): Promise<Attempt> {
  const startedAt = new Date();
  const since = performance.now();
  const at = () => ({ startedAt, durationMs: Math.round(performance.now() - since) });
  try {
    const answer = await fetch(request.url, {
      method: 'POST',
      payer: request.payer,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(request.body)),
        'user-agent': 'Rapport-Webhooks/1',
        ...request.headers,
      },
      body: request.body,
      mostBytes: mostResponseBytes,
      cutsLongAnswers: true,
      timeoutMs,
    });
    const response = await readText(answer);
    const retryAfter = retryAfterSeconds(answer.headers.get('retry-after'), new Date());
    return {
      ...at(),
      status: answer.status,
      failure: null,
      response,
      retryAfterSeconds: retryAfter,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isTimeout = performance.now() - since >= timeoutMs - 100;
    const failure =
      error.code === 'target_failed' ? (isTimeout ? 'timeout' : 'unreachable') : 'private_target';
    return { ...at(), status: null, failure, response: null, retryAfterSeconds: null };
  }
}

/** Returns the headers of Standard Webhooks. */
export function signedHeaders({ id, body, secrets }: Signed, now: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

/** Returns the text without what PostgreSQL cannot store; at most 4096 characters. */
const readText = async (answer: Response): Promise<string> =>
  (await answer.text()).replaceAll('\0', '').slice(0, mostResponseBytes);
