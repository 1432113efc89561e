import type { Contract, OutputOf, ParamsOf, SentBodyOf, SentQueryOf } from '#domain/contract.ts';
import type { Problem } from '#domain/errors.ts';
import { hearTime } from '#web/platform/clock.ts';
import { refusalText, t, validationText } from '#web/platform/texts.ts';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: never }
  : { [N in Name]: Value };
/** The whole query is optional: each contract has defaults for what it needs. */
type QueryPart<Value> = [Value] extends [undefined] ? { query?: never } : { query?: Value };

export type InputOf<C extends Contract> = Part<'params', ParamsOf<C>> &
  Part<'body', SentBodyOf<C>> &
  QueryPart<SentQueryOf<C>>;

export interface AnyInput {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}

/** A failed request. `status` is 0 if the server was unreachable. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Partial<Problem> | undefined;

  constructor(message: string, status: number, problem?: Partial<Problem>) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
  }

  /** The message that the server wrote for people, if there is one. */
  get serverMessage(): string | undefined {
    return this.problem?.details ?? this.problem?.message;
  }
}

/** The server refused the request: repeating it is of no use. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/**
 * The same refusal would come again: not where the request arrived too slowly, or another change of the same thing
 * was in progress.
 */
export const isRefusedForGood = (error: unknown): error is ApiError =>
  isRefusal(error) && error.status !== 408 && error.problem?.code !== 'changed_elsewhere';

/** Sends a request to the endpoint of a contract. Throws ApiError. */
export async function request<const C extends Contract>(
  contract: C,
  input: InputOf<C> & { signal?: AbortSignal; keepalive?: boolean },
): Promise<OutputOf<C>> {
  return (await requestWithHeaders(contract, input)).body;
}

/** Also returns the answer's headers, for lists that continue by their `Link`. */
export async function requestWithHeaders<const C extends Contract>(
  contract: C,
  input: InputOf<C> & { signal?: AbortSignal; keepalive?: boolean },
): Promise<{ body: OutputOf<C>; headers: Headers }> {
  const response = await send(contract, input);
  if (!response.ok) throw await failureOf(response);
  // The server serializes by the same contract, so the body is not validated a second time.
  const body = response.status === 204 ? undefined : await response.json();
  return { body, headers: response.headers };
}

function send(
  contract: Contract,
  input: AnyInput & { signal?: AbortSignal; keepalive?: boolean },
): Promise<Response> {
  const { body, signal, keepalive } = input;
  return fetch(addressOf(contract, input), {
    method: contract.method,
    credentials: 'include',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
  }).then(
    (response) => {
      hearTime(response);
      return response;
    },
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new ApiError(t('common.unreachable'), 0);
    },
  );
}

/** Returns the path of a request in segments: joined with '/' they are its URL; also its query key. */
export function segmentsOf(contract: Contract, input: AnyInput): string[] {
  const params = new Map(Object.entries(input.params ?? {}));
  return contract.path
    .split('/')
    .map((segment) =>
      segment.startsWith(':') ? encodeURIComponent(String(params.get(segment.slice(1)))) : segment,
    );
}

function addressOf(contract: Contract, input: AnyInput): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const path = segmentsOf(contract, input).join('/');
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Spec section 8, Generic request failure. */
export async function failureOf(response: Response): Promise<ApiError> {
  const { status, statusText } = response;
  let text: string;
  try {
    text = await response.text();
  } catch {
    return new ApiError(`${status}: ${statusText}`, status);
  }
  const problem = problemIn(text);
  const message = problem?.details ?? problem?.message ?? `${status}: ${text || statusText}`;
  return new ApiError(message, status, problem);
}

function problemIn(text: string): Partial<Problem> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return undefined;
    return translated(body);
  } catch {
    return undefined;
  }
}

/** Returns the problem with its texts in the reader's language; a proxy's answer may have other fields. */
function translated(body: Partial<Problem>): Partial<Problem> {
  const { details, message, code, errors, ...rest } = body;
  const said = (text: unknown): text is string => typeof text === 'string' && text !== '';
  return {
    ...rest,
    ...(code === undefined ? {} : { code }),
    ...(said(details) ? { details: refusalText(code, details) } : {}),
    ...(said(message) ? { message: refusalText(code, message) } : {}),
    ...(Array.isArray(errors)
      ? {
          errors: errors.map((error) => ({ ...error, message: validationText(error.message) })),
        }
      : {}),
  };
}
