import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { RequestTurn } from '../hosted-room.ts';
import { VideoEngineError } from '../port.ts';

export interface DailyAccess {
  /** Daily's API with its version, e.g. https://api.daily.co/v1 */
  apiBase: string;
  apiKey: string;
}

/** Dependencies that tests replace, so that they need not wait. */
export interface DailyMachine {
  fetch: typeof fetch;
  wait: (ms: number) => Promise<unknown>;
  random: () => number;
}
const machine: DailyMachine = { fetch, wait: (ms) => wait(ms), random: Math.random };

const timeoutMs = 5_000;
const mostAttempts = 3;
const firstBackoffMs = 250;
/** A person waits for the call to open, so a longer `Retry-After` counts as a refusal. */
const longestWaitMs = 3_000;

// Page "Errors" of Daily's REST API: 4xx and 5xx carry `error`, a stable name, and `info`, for
// people.
const failure = z.object({ error: z.string().catch(''), info: z.string().catch('') });

/** An answer of Daily with a status other than 200. */
export class DailyRefusal extends VideoEngineError {
  readonly status: number;
  /** Daily's own name of the error, e.g. 'invalid-request-error'. */
  readonly kind: string;
  readonly info: string;

  constructor(what: string, status: number, { error, info }: z.infer<typeof failure>) {
    super(`Daily answered ${status} to ${what}: ${error} ${info}`.trim());
    this.status = status;
    this.kind = error;
    this.info = info;
  }
}

/**
 * Client of Daily's REST API for one opening, ejection, or recording. Sources: its pages "REST API" (Authorization: Bearer; 429 when too
 * many), "Errors", and one for each endpoint, named where it is used.
 */
export class DailyApi {
  readonly #access: DailyAccess;
  readonly #turn: RequestTurn;
  readonly #machine: DailyMachine;

  constructor(access: DailyAccess, turn: RequestTurn, using: Partial<DailyMachine> = {}) {
    this.#access = access;
    this.#turn = turn;
    this.#machine = { ...machine, ...using };
  }

  /**
   * Sends a request. Throttling (429) and failures (5xx, no answer) are retried with exponential
   * backoff and jitter.
   * @throws DailyRefusal, VideoEngineError
   */
  async ask<Schema extends z.ZodType>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<z.infer<Schema>> {
    const what = `${method} ${path}`;
    for (let tries = 1; ; tries += 1) {
      await this.#turn();
      const answer = await this.#send(method, path, body).catch((error: unknown) => error);
      if (answer instanceof Response && answer.ok) return parse(what, schema, answer);
      const problem = await problemOf(what, answer);
      const pause = this.#pauseBefore(tries, answer);
      if (pause === null) throw problem;
      await this.#machine.wait(pause);
    }
  }

  #send(method: string, path: string, body: object | undefined): Promise<Response> {
    const { apiBase, apiKey } = this.#access;
    return this.#machine.fetch(`${apiBase}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      // A redirect would send the key elsewhere.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  /** Returns the milliseconds until the next attempt, or null if there is none. */
  #pauseBefore(tries: number, answer: unknown): number | null {
    const status = answer instanceof Response ? answer.status : null;
    const passes = status === null || status === 429 || status >= 500;
    if (!passes || tries >= mostAttempts) return null;
    const asked = answer instanceof Response ? Number(answer.headers.get('retry-after')) : 0;
    if (asked > 0) return asked * 1000 <= longestWaitMs ? asked * 1000 : null;
    return firstBackoffMs * 2 ** (tries - 1) * (0.5 + this.#machine.random());
  }
}

async function parse<Schema extends z.ZodType>(what: string, schema: Schema, answer: Response) {
  const parsed = schema.safeParse(await answer.json().catch(() => null));
  if (parsed.success) return parsed.data;
  throw new VideoEngineError(`Daily's answer to ${what} is not what its reference says`);
}

async function problemOf(what: string, answer: unknown): Promise<VideoEngineError> {
  if (!(answer instanceof Response)) {
    return new VideoEngineError(`Daily did not answer ${what}`, { cause: answer });
  }
  const said = failure.safeParse(await answer.json().catch(() => null));
  return new DailyRefusal(what, answer.status, said.data ?? { error: '', info: '' });
}

/** Returns null for a refusal with one of these statuses. */
export async function unless<T>(statuses: number[], answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DailyRefusal && statuses.includes(error.status)) return null;
    throw error;
  }
}
