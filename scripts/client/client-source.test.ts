import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeApi } from '#domain/api/openapi/describe.ts';
import { clientSource } from './client-source.ts';
import { typeOf } from './type-of.ts';

test('the client is up to date: otherwise, npm run generate-client', () => {
  const file = readFileSync('sdk/client/src/generated.ts', 'utf8');
  expect(file).toBe(clientSource(describeApi()));
});

test.each([
  [{ type: ['string', 'null'], format: 'date-time' }, 'string | null'],
  [{ type: ['string', 'null'], enum: ['a', null] }, '"a" | null'],
  [{ type: 'array', items: { type: ['integer', 'null'] } }, 'Array<number | null>'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Room' } }, 'Room[]'],
  [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'Record<string, boolean>'],
  [{ type: 'object', properties: { a: { type: 'number' } } }, '{\n  a?: number;\n}'],
])('%j is typed %s', (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});
