import { z } from 'zod';
import type { Contract } from '#domain/contract.ts';
import { problem } from '#domain/errors.ts';

/** Returns what Fastify checks of a contract's requests and answers, and what the description says of it. */
export function routeSchema(contract: Contract) {
  const failures = new Set([...(contract.errors ?? []), ...generalErrors(contract)]);
  return {
    summary: contract.summary,
    tags: [contract.path.split('/')[2] ?? 'api'],
    ...securityOf(contract),
    ...(contract.params ? { params: contract.params } : {}),
    ...(contract.query ? { querystring: contract.query } : {}),
    ...(contract.body ? { body: contract.body } : {}),
    ...(contract.file ? { consumes: ['multipart/form-data'], takesFile: true } : {}),
    response: {
      ...Object.fromEntries(
        Object.entries(contract.output).map(([status, schema]) => [
          status,
          schema ?? (contract.download ? fileOf(contract.download) : z.null().describe('Done')),
        ]),
      ),
      ...Object.fromEntries(
        [...failures].map((status) => [
          status,
          { content: { 'application/problem+json': { schema: problem } } },
        ]),
      ),
    },
  };
}

function securityOf({ permission, scope }: Contract) {
  if (permission === 'public') return {};
  // A token's scopes (OpenAPI 3.1, Security Requirement Object).
  return { security: [{ session: [] }, ...(scope ? [{ token: [scope] }] : [])] };
}

const fileOf = (types: readonly string[]) => ({
  description: 'The file',
  content: Object.fromEntries(
    types.map((type) => [type, { schema: type === 'application/json' ? z.unknown() : z.string() }]),
  ),
});

function generalErrors(contract: Contract): number[] {
  return [
    ...(contract.permission === 'public' ? [] : [401]),
    ...(contract.permission === 'public' || contract.permission === 'session' ? [] : [403]),
    ...(contract.body || contract.query || contract.file ? [400] : []),
    ...(contract.params ? [404] : []),
    ...(contract.body ? [413, 415] : []),
    ...(contract.method === 'GET' ? [] : [403]),
    ...(contract.rateLimit || contract.scope ? [429] : []),
    ...(contract.scope && !['GET', 'POST'].includes(contract.method) ? [412] : []),
    ...(contract.scope && contract.method === 'POST' ? [400, 409, 422] : []),
  ];
}
