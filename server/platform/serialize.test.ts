import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allContracts } from '#server/testing/contracts.ts';
import { serializerCompiler } from './serialize.ts';

type JsonSchema = { [key: string]: unknown };

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemas = (value: unknown): JsonSchema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];

/** Returns values that match a schema. Nullable fields appear once as null and once with a value. */
function samplesOf(schema: JsonSchema): unknown[] {
  if ('const' in schema) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  const choices = [...schemas(schema.anyOf), ...schemas(schema.oneOf)];
  if (choices.length > 0) return choices.flatMap(samplesOf);
  switch (schema.type) {
    case 'object':
      return objectsOf(schema);
    case 'array': {
      const items = isSchema(schema.items) ? samplesOf(schema.items) : [];
      return Number(schema.minItems ?? 0) > 0 ? [items] : [[], items];
    }
    case 'string':
      return [textOf(schema.format)];
    case 'integer':
      return [Number(schema.minimum ?? 0) > 0 ? schema.minimum : 0, 10];
    case 'number':
      return [0.5, schema.maximum ?? 7];
    case 'boolean':
      return [true, false];
    default:
      return [null];
  }
}

function objectsOf({ properties, additionalProperties }: JsonSchema): object[] {
  const fields = Object.entries(isSchema(properties) ? properties : {});
  if (fields.length === 0 && isSchema(additionalProperties)) {
    const [value] = samplesOf(additionalProperties);
    return [{}, { '01900000-0000-7000-8000-000000000000': value }];
  }
  const values = fields.map(
    ([name, schema]) => [name, isSchema(schema) ? samplesOf(schema) : []] as const,
  );
  const variants = Math.max(1, ...values.map(([, choices]) => choices.length));
  return Array.from({ length: variants }, (_, n) =>
    Object.fromEntries(values.map(([name, choices]) => [name, choices[n % choices.length]])),
  );
}

function textOf(format: unknown): string {
  if (format === 'uuid') return '01900000-0000-7000-8000-000000000000';
  if (format === 'date') return '2026-01-02';
  if (format === 'date-time') return '2026-01-02T03:04:05.678Z';
  if (format === 'uri') return 'https://example.com/page';
  return '"quoted" <b>ä</b> \u2028 😀 \\';
}

const contracts = await allContracts();
const answers = contracts.flatMap(({ method, path, output }) =>
  Object.entries(output).map(([status, schema]) => ({
    name: `${method} ${path} ${status}`,
    schema: schema ?? z.null(),
  })),
);

/** Adds fields that no contract names, at every level. */
const crowded = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(crowded);
  if (!isSchema(value)) return value;
  const keys = Object.keys(value);
  const isMap = keys.length > 0 && keys.every((key) => z.uuid().safeParse(key).success);
  const inner = Object.fromEntries(keys.map((key) => [key, crowded(value[key])]));
  return isMap || keys.length === 0 ? inner : { ...inner, passwordHash: 'leaked' };
};

const write = (schema: z.ZodType, strict: boolean) =>
  serializerCompiler(strict)({ schema, method: 'GET', url: '/api/x', httpStatus: '200' } as never);

describe.each(answers)('$name', ({ schema }) => {
  const samples = samplesOf(
    z.toJSONSchema(schema, { target: 'draft-7', io: 'output' }) as JsonSchema,
  );

  test('production serializes like the strict mode of the tests', () => {
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) {
      const strict: unknown = JSON.parse(write(schema, true)(sample));
      expect(strict).toEqual(sample);
      expect(JSON.parse(write(schema, false)(sample))).toEqual(strict);
    }
  });

  test('a field that the contract does not name never leaves the server', () => {
    for (const sample of samples.map(crowded)) {
      for (const strict of [true, false]) {
        expect(write(schema, strict)(sample)).not.toContain('leaked');
      }
    }
  });
});

test('production writes fields in the order of the contract, which entity tags depend on', () => {
  const schema = z.object({
    id: z.string(),
    note: z.string().optional(),
    at: z.string().nullable(),
  });
  const expected = '{"id":"7","at":null}';
  expect(write(schema, false)({ id: '7', at: null })).toBe(expected);
  expect(write(schema, false)({ at: null, id: '7' })).toBe(expected);
  expect(write(schema, false)({ at: null, note: undefined, id: '7' })).toBe(expected);
});

test('production refuses an answer without a required field', () => {
  const schema = z.object({ id: z.string(), at: z.string() });
  expect(() => write(schema, false)({ id: '7' })).toThrow(/at/);
});

test('production writes a date and a number in text as the contract names them', () => {
  const schema = z.object({ at: z.iso.datetime(), count: z.int() });
  const given = { at: new Date('2026-01-02T03:04:05.678Z'), count: '7' };
  expect(write(schema, false)(given)).toBe('{"at":"2026-01-02T03:04:05.678Z","count":7}');
});

test('in tests, an answer that violates its contract fails', () => {
  const schema = z.object({ id: z.uuid() });
  expect(() => write(schema, true)({ id: 7 })).toThrow(/GET \/api\/x answers against its contract/);
});
