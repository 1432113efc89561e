import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';
import { exactly, type JsonSchema } from './exact-answers.ts';

/**
 * Serializes answers by their contract. Production uses a schema that drops fields which the contract
 * does not name, compiled at the first answer: compiling all of them took a fifth of a start. Tests
 * parse the answer, so that a wrong one fails.
 */
export function serializerCompiler(strict: boolean): FastifySerializerCompiler<z.ZodType> {
  return ({ schema: given, url, method }) => {
    const schema = given instanceof z.ZodType ? given : z.unknown();
    if (strict) {
      return (data) => {
        const parsed = schema.safeParse(data ?? null);
        if (parsed.success) return JSON.stringify(parsed.data);
        throw new Error(`${method} ${url} answers against its contract: ${parsed.error.message}`);
      };
    }
    let compiled: ((data: unknown) => string) | undefined;
    return (data) => {
      compiled ??= compile(schema);
      return compiled(data);
    };
  };
}

function compile(answer: z.ZodType): (data: unknown) => string {
  const schema = open(z.toJSONSchema(answer, { target: 'draft-7' }));
  const dropOthers = fastJson(schema);
  const isExact = exactly(schema);
  return (data) => (isExact?.(data) ? JSON.stringify(data) : dropOthers(data));
}

/**
 * fast-json-stringify throws on extra keys of a union where `additionalProperties` is false, and validates a value
 * against each choice of a union, so "this or null" is not one.
 */
function open(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'additionalProperties' && value === false ? undefined : withoutUnion(value),
  );
}

/** An `enum` would not have null among its values, where a union around this is validated. */
function withoutUnion(schema: unknown): unknown {
  if (!isRecord(schema) || !Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return schema;
  const [value, none] = schema.anyOf;
  if (none.type !== 'null' || typeof value.type !== 'string' || value.enum || 'const' in value) {
    return schema;
  }
  const { anyOf, ...rest } = schema;
  return { ...rest, ...value, nullable: true };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
