import { expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { failuresOf } from './contract-failures.ts';

const given = { method: 'GET', path: '/api/things', permission: 'public', answers: {} } as const;
const failures = (more: object) => failuresOf(contract({ ...given, ...more } as never));

test('a contract is refused for what it declares, and for nothing else', () => {
  expect(failures({})).toEqual([]);
  expect(failures({ permission: 'session' })).toEqual([401]);
  expect(failures({ permission: 'calls.read' })).toEqual([401, 403]);
  expect(failures({ errors: [409] })).toEqual([409]);
  expect(failures({ method: 'DELETE', params: z.object({ id: z.string() }) })).toEqual([403, 404]);
  expect(failures({ query: z.object({}) })).toEqual([400]);
  expect(failures({ method: 'POST', body: z.object({}) })).toEqual([400, 403, 413, 415]);
  expect(failures({ rateLimit: { name: 'a', most: 1, windowSeconds: 1 } })).toEqual([429]);
});

test('what programs call has the refusals of conditions and repeated requests', () => {
  const scope = 'rooms:write';
  expect(failures({ scope })).toEqual([429]);
  expect(failures({ scope, method: 'PUT' })).toEqual([403, 412, 429]);
  expect(failures({ scope, method: 'POST' })).toEqual([400, 403, 409, 422, 429]);
});
