import { nextOf } from './answer-headers.ts';
import { keepEtag } from './entity-tags.ts';
import {
  type OperationName,
  type Operations,
  operations,
  type PagedOperation,
} from './generated.ts';
import { type ClientOptions, type SendOptions, send } from './send.ts';

export type { RateLimit } from './answer-headers.ts';
export { etagOf } from './entity-tags.ts';
export type * from './generated.ts';
export { RapportError } from './rapport-error.ts';
export type { ClientOptions } from './send.ts';

type Input<N extends OperationName> = Operations[N]['input'];
type Result<N extends OperationName> = Operations[N]['result'];
type Item<N extends PagedOperation> = Result<N>[number];
/** The input may be left out if nothing in it is required. */
type Arguments<N extends OperationName> =
  Record<never, never> extends Input<N>
    ? [input?: Input<N> & SendOptions]
    : [input: Input<N> & SendOptions];

/** A function for each operation of the API description, by its `operationId`. */
export type Client = {
  [N in OperationName]: (...args: Arguments<N>) => Promise<Result<N>>;
} & {
  /** Iterates over all items of a list, and reads its pages as they are needed. */
  each<N extends PagedOperation>(name: N, ...args: Arguments<N>): AsyncGenerator<Item<N>, void>;
};

/** What `Input` is for every operation. */
interface AnyInput extends SendOptions {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
}

/** Returns a client for one token. */
export function createClient(options: ClientOptions): Client {
  const names = Object.keys(operations) as OperationName[];
  const calls = names.map((name) => [
    name,
    async (input: AnyInput = {}) => {
      const answer = await send(
        options,
        urlOf(options, name, input),
        requestOf(name, input),
        input,
      );
      return answer.status === 204 ? undefined : keepEtag(await answer.json(), answer.headers);
    },
  ]);
  async function* each(name: PagedOperation, input: AnyInput = {}) {
    let url: URL | null = urlOf(options, name, input);
    while (url) {
      const answer: Response = await send(options, url, requestOf(name, input), input);
      yield* await answer.json();
      const next = nextOf(answer.headers);
      url = next === null ? null : new URL(next, options.url);
    }
  }
  // What the functions take and return is known from the description only.
  return { ...Object.fromEntries(calls), each } as Client;
}

const requestOf = (name: OperationName, { body }: AnyInput) => ({
  method: operations[name].method,
  body,
});

function urlOf({ url }: ClientOptions, name: OperationName, { params, query }: AnyInput): URL {
  const path = operations[name].path.replace(/\{(\w+)\}/g, (_, key) => {
    const value = params?.[key];
    if (!value) throw new TypeError(`${name} needs params.${key}`);
    return encodeURIComponent(value);
  });
  const made = new URL(path, url);
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined) made.searchParams.set(key, String(value));
  }
  return made;
}
