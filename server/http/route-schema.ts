import { z } from 'zod';
import type { Contract } from '#domain/contract.ts';
import { failuresOf } from '#domain/contract-failures.ts';
import { problem } from '#domain/errors.ts';

/** Returns what Fastify checks of a contract's requests and answers, and what the description says of it. */
export function routeSchema(contract: Contract) {
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
        failuresOf(contract).map((status) => [
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
