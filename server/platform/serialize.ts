import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

/**
 * Serializes answers by their contract. Production uses a compiled schema, which costs next to
 * nothing and drops fields that the contract does not name. Tests parse the answer, so that a wrong
 * one fails.
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
    return fastJson(open(z.toJSONSchema(schema, { target: 'draft-7' })));
  };
}

/** fast-json-stringify throws on extra keys of a union where `additionalProperties` is false. */
function open(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  );
}
