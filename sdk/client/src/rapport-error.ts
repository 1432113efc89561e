import { type RateLimit, rateLimitOf, retryAfterOf } from './answer-headers.ts';
import type { Problem } from './generated.ts';

/** An answer with a status of 400 or more. */
export class RapportError extends Error {
  readonly status: number;
  /** Stable, for programs, like `insufficient_scope`. `unknown` if it was not Rapport that answered. */
  readonly code: string;
  readonly details: string | undefined;
  /** Which fields of the request are wrong. */
  readonly errors: NonNullable<Problem['errors']>;
  /** After how many seconds a retry makes sense; null if the answer does not tell. */
  readonly retryAfterSeconds: number | null;
  readonly rateLimit: RateLimit | null;
  /** Name it when you report a problem. */
  readonly requestId: string | null;

  constructor(status: number, headers: Headers, problem: Partial<Problem>) {
    super(problem.message ?? problem.title ?? `The server answered ${status}`);
    this.name = 'RapportError';
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.details = problem.details;
    this.errors = problem.errors ?? [];
    this.retryAfterSeconds = retryAfterOf(headers);
    this.rateLimit = rateLimitOf(headers);
    this.requestId = headers.get('x-request-id');
  }
}

/** Returns the error that an answer stands for, also if a proxy wrote it. */
export async function errorOf(answer: Response): Promise<RapportError> {
  const problem: unknown = await answer.json().catch(() => ({}));
  const isObject = typeof problem === 'object' && problem !== null;
  return new RapportError(answer.status, answer.headers, isObject ? problem : {});
}
