import type { Operation } from '#domain/api/operations/operation.ts';

const variable = /"\$([A-Z_]+)"/g;

/** Returns the name of the shell's variable for an object: `$ROOM_ID` for `/api/rooms/:id`. */
export const shellVariableOf = (noun: string) =>
  `${noun.replace(/s$/, '').replaceAll('-', '_').toUpperCase()}_ID`;

/** Returns a command that calls the operation, which a test runs. */
export function curlOf({ contract, example = {} }: Operation): string {
  const { method, path } = contract;
  const named = path.replace(/([\w-]+)\/:\w+/g, (_, noun) => `${noun}/$${shellVariableOf(noun)}`);
  const query = Object.entries(example.query ?? {})
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && example.body) ? '' : `-X ${method} `}"$RAPPORT_URL${named}${query && `?${query}`}"`,
    '-H "Authorization: Bearer $RAPPORT_TOKEN"',
    ...(method === 'POST' ? ['-H "Idempotency-Key: $RANDOM-$RANDOM-$RANDOM"'] : []),
    ...(example.body
      ? ['-H "Content-Type: application/json"', `-d '${bodyOf(example.body)}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

/** JSON within single quotes, which end for a variable. */
const bodyOf = (body: object) =>
  JSON.stringify(body).replaceAll("'", "'\\''").replace(variable, '"\'"$$$1"\'"');

/** Returns the body with an id in place of each variable, as the description shows it. */
export const exampleBody = (body: object): unknown =>
  JSON.parse(JSON.stringify(body).replace(variable, '"01980a4c-7b1e-7c3a-9f52-3d1b6f0a8e11"'));
