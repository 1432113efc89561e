import { z } from 'zod';
import { apiRate } from '#domain/api/rate.ts';
import { failuresOf } from '#domain/contract-failures.ts';
import { operations } from '../operations/all.ts';
import { chapters, type Operation } from '../operations/operation.ts';
import { curlOf, exampleBody } from './curl.ts';
import type {
  Answer,
  DescribedOperation,
  Description,
  Method,
  Parameter,
  Schema,
} from './document.ts';
import { failureAnswers, failures, headerRefs } from './failures.ts';
import { componentSchemas, toSchema } from './to-schema.ts';

const text: Schema = { type: 'string' };
const headers: Description['components']['headers'] = {
  'X-Request-Id': { description: 'Name it when you report a problem.', schema: text },
  Link: { description: '`<…>; rel="next"` while there is more (RFC 8288).', schema: text },
  RateLimit: {
    description: 'Requests that are left, and seconds until there are more.',
    schema: { type: 'string', pattern: '^"token";r=\\d+;t=\\d+$' },
  },
  'RateLimit-Policy': {
    description: `The limit: ${apiRate.most} requests in ${apiRate.windowSeconds} seconds.`,
    schema: { type: 'string', pattern: '^"token";q=\\d+;w=\\d+$' },
  },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The missing scope, among others.', schema: text },
  ETag: {
    description: 'Is another one if anything in the answer is (RFC 9110, 8.8.3).',
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  'Idempotency-Replayed': {
    description: '`true` if the request ran before and this is its answer again.',
    schema: text,
  },
};

/** Headers of requests, to which operations refer by their name. */
const requestHeaders: Record<'Idempotency-Key' | 'If-Match' | 'If-None-Match', Parameter> = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text of your own. For 24 hours, the same request with the same key runs once and gets the same answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` that you read. The change is made only if it is still the same.',
    schema: text,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` that you have. The answer is 304 without a body if it is still the same.',
    schema: text,
  },
};
const requestHeaderOf = (method: string) =>
  method === 'POST' ? 'Idempotency-Key' : method === 'GET' ? 'If-None-Match' : 'If-Match';

/** What parameters mean, by their name, in every operation. */
const parameterTexts: Record<string, string> = {
  id: 'The id of the object.',
  limit: 'Items in a page.',
  before: 'The cursor of the next page, which the answer has.',
  beforeKey: 'Part of the cursor of a sorted list, which the `Link` header has.',
  after: 'The cursor of the next page: `next` of the answer.',
  status: 'Which of them to list.',
  search: 'Matches anywhere in the topic or title.',
  roomId: 'Only of this room.',
  playbookId: 'Only calls with this playbook.',
  agentId: 'Only calls that this member started.',
  from: 'The first day, UTC.',
  to: 'The last day, UTC.',
  score: 'By Net Promoter Score: 9 and 10, 7 and 8, 0 to 6, or without a score.',
  guests: 'Completed calls with or without a guest.',
  sort: 'The order; `newest` if absent.',
  q: 'Words that must occur together; words in quotation marks must follow each other.',
  speaker: 'Words of the name of the person who said or wrote it.',
  callId: 'Only this call, with up to 200 hits.',
  exact: 'Words are not corrected.',
};

/** Returns the OpenAPI 3.1 description of what API tokens can use. Servers and clients are made from it. */
export function describeApi(): Description {
  const paths: Description['paths'] = {};
  for (const [operationId, operation] of Object.entries(operations)) {
    const { method, path } = operation.contract;
    const key = path.replace(/:(\w+)/g, '{$1}');
    const item = paths[key] ?? {};
    item[method.toLowerCase() as Method] = describeOperation(operationId, operation);
    paths[key] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rapport API',
      version: '1',
      description:
        'Rooms, calls, playbooks, and webhooks of one organization. Create a token under Settings → API.',
    },
    servers: [{ url: '/', description: 'The server that answers this description.' }],
    tags: Object.entries(chapters).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, which begins with `rpt_`, with the scope of the operation.',
        },
      },
      schemas: componentSchemas(),
      parameters: requestHeaders,
      headers,
      responses: failureAnswers(),
    },
  };
}

function describeOperation(operationId: string, operation: Operation): DescribedOperation {
  const { contract, chapter, summary, description, example } = operation;
  const parameters = [
    ...parametersOf(contract.params, 'path'),
    ...parametersOf(contract.query, 'query'),
    { $ref: `#/components/parameters/${requestHeaderOf(contract.method)}` },
  ];
  return {
    operationId,
    summary,
    description,
    tags: [chapter],
    security: [{ token: [contract.scope] }],
    parameters,
    ...(contract.body ? { requestBody: bodyOf(contract.body, example?.body) } : {}),
    responses: {
      ...successesOf(operation),
      ...(contract.method === 'GET' ? { 304: unchanged } : {}),
      ...Object.fromEntries(failuresOf(contract).map((status) => [status, failureOf(status)])),
    },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(operation) }],
  };
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input');
  return Object.entries(properties).map(([name, of]) => {
    const description = parameterTexts[name];
    if (description === undefined) throw new Error(`say what the parameter ${name} means`);
    const isRequired = place === 'path' || required.includes(name);
    return { name, in: place, description, schema: of, ...(isRequired ? { required: true } : {}) };
  });
}

const bodyOf = (body: z.ZodType, example: object | undefined) => ({
  required: true as const,
  content: {
    'application/json': {
      schema: toSchema(body, 'input'),
      ...(example ? { example: exampleBody(example) } : {}),
    },
  },
});

const words: Record<string, string> = { 200: 'OK.', 201: 'Created.', 204: 'Done, without a body.' };

const unchanged: Answer = {
  description: 'It still has the ETag in `If-None-Match`. Without a body.',
  headers: headerRefs(['ETag', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
};

function successesOf({ contract }: Operation): Record<string, Answer> {
  const names = [
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    ...(isPaged(contract) ? ['Link'] : []),
    ...(contract.method === 'GET' ? ['ETag'] : []),
    ...(contract.method === 'POST' ? ['Idempotency-Replayed'] : []),
  ];
  return Object.fromEntries(
    Object.entries(contract.output).map(([status, schema]) => [
      status,
      {
        description: words[status] ?? 'OK.',
        headers: headerRefs(names),
        ...(schema
          ? { content: { 'application/json': { schema: toSchema(schema, 'output') } } }
          : {}),
      },
    ]),
  );
}

/** Whether a list has further pages, which the `Link` header leads to. */
export const isPaged = ({ query, output }: Operation['contract']): boolean =>
  query?.shape.before !== undefined && output[200] instanceof z.ZodArray;

function failureOf(status: number): { $ref: string } {
  const failure = failures[status];
  if (!failure) throw new Error(`say in failures.ts what ${status} means`);
  return { $ref: `#/components/responses/${failure.name}` };
}
